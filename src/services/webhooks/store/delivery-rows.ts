import type { StoreParts } from "../../../database/service-store.js";
import { sortableId } from "../../../kit/sortable-id.js";
import type { Delivery } from "../ports.js";
import { DELIVERY_PREFIX, deliveryStates } from "../records.js";
import { ATTEMPTS_KEPT, DELIVERED_WITHIN_MS } from "../rules/limits.js";
import { messageBody } from "../rules/message.js";
import { iso, nameOf } from "./endpoint-rows.js";
import type { WebhookDeliveryRow, WebhookEndpointRow } from "./tables.js";

/** One attempt as stored. */
export interface StoredAttempt {
  readonly at: number;
  readonly ms: number;
  readonly status?: number;
  readonly error?: string;
}

/** A message to queue. A test message has neither position nor subject. */
export interface QueuedMessage {
  readonly event: string;
  readonly position: number | null;
  readonly subject: string | null;
  /** JSON. */
  readonly data: string;
  /** Null while an earlier delivery of its subject is pending. */
  readonly dueAt: number | null;
}

/** Makes the rows of new deliveries, with ids in the order of the messages. */
export function newDeliveries(
  { randomBytes, isSimulated }: Pick<StoreParts, "randomBytes" | "isSimulated">,
  endpoint: Pick<WebhookEndpointRow, "endpoint_id" | "account_id">,
  messages: readonly QueuedMessage[],
  now: number,
): readonly WebhookDeliveryRow[] {
  const ids = messages.map(() => sortableId(DELIVERY_PREFIX, now, randomBytes)).sort();
  return messages.map(({ event, position, subject, data, dueAt }, at) => ({
    delivery_id: ids[at] ?? "",
    endpoint_id: endpoint.endpoint_id,
    account_id: endpoint.account_id,
    event,
    position,
    subject,
    body: messageBody({ event, at: now, data, isSimulated }),
    state: "pending",
    due_at: dueAt,
    expires_at: now + DELIVERED_WITHIN_MS,
    attempt_count: 0,
    attempts: "[]",
    lease: null,
    leased_until: null,
    created_at: now,
    ended_at: null,
  }));
}

/** Returns the attempts with a new attempt added and surplus attempts dropped. */
export function withAttempt(attempts: string, attempt: StoredAttempt): string {
  return JSON.stringify([...JSON.parse(attempts), attempt].slice(-ATTEMPTS_KEPT));
}

/** Converts a stored delivery to its served form. */
export function servedDelivery(row: Omit<WebhookDeliveryRow, "body">): Delivery {
  // The value is not checked, because `withAttempt` wrote this column.
  const attempts: readonly StoredAttempt[] = JSON.parse(row.attempts);
  return {
    deliveryId: row.delivery_id,
    endpointId: row.endpoint_id,
    event: row.event,
    ...(row.position !== null && { position: row.position }),
    ...(row.subject !== null && { subject: row.subject }),
    state: nameOf(deliveryStates, "WEBHOOK_DELIVERY_STATE_", row.state),
    attemptCount: row.attempt_count,
    attempts: attempts.map(({ at, ms, status, error }) => ({
      attemptedAt: iso(at),
      durationMs: ms,
      ...(status !== undefined && { responseStatus: status }),
      ...(error !== undefined && { error }),
    })),
    ...(row.due_at !== null && row.state === "pending" && { nextAttemptAt: iso(row.due_at) }),
    createdAt: iso(row.created_at),
    ...(row.ended_at !== null && { endedAt: iso(row.ended_at) }),
  };
}
