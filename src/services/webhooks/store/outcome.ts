import { sql } from "kysely";
import type { StoreParts } from "../../../database/service-store.js";
import { inTransaction } from "../../../database/transaction.js";
import { type Random, randomFrom } from "../../../kit/random.js";
import { nextAttemptAt, requestedWait } from "../../../kit/retry-schedule.js";
import { attemptCounter } from "../rules/attempt-counter.js";
import { DOWN_AFTER_FAILURES, restsUntil } from "../rules/schedule.js";
import type { ClaimedDelivery } from "./claim.js";
import { type StoredAttempt, withAttempt } from "./delivery-rows.js";
import { lockEndpoint } from "./endpoint-rows.js";
import { hasEarlier, makeFirstDue } from "./subject-order.js";
import {
  type WebhookDatabase,
  type WebhookDeliveryRow,
  type WebhookEndpointRow,
  type WebhookTables,
  webhooksIn,
} from "./tables.js";

/** An attempt that has ended, with its outcome. `gone`: the receiver answered 410. */
export interface EndedAttempt {
  readonly attempt: StoredAttempt;
  /** The time until which the receiver asked to wait. */
  readonly retryAt?: number | undefined;
  readonly kind: "delivered" | "failed" | "gone";
}

const GONE = "The receiver answered 410 Gone";

/** Stores the outcome of an attempt in one transaction. */
export async function storeOutcome(
  parts: StoreParts,
  claimed: ClaimedDelivery,
  lease: string,
  ended: EndedAttempt,
): Promise<void> {
  const state = await inTransaction(parts.database.db, async (on) => {
    const db = webhooksIn(on);
    const endpoint = await lockEndpoint(db, claimed.endpoint_id);
    if (!endpoint) return undefined;
    const delivery = await db
      .selectFrom("webhook_delivery")
      .selectAll()
      .where("delivery_id", "=", claimed.delivery_id)
      .executeTakeFirst();
    // A success is stored even if the lease has passed to another node. A failure is not, because that node may be
    // sending the delivery.
    if (delivery?.state !== "pending" || (ended.kind !== "delivered" && delivery.lease !== lease)) return undefined;
    return settle(parts, db, endpoint, delivery, ended);
  });
  if (state !== undefined) parts.count(attemptCounter, state);
}

async function settle(
  parts: StoreParts,
  db: WebhookDatabase,
  endpoint: WebhookEndpointRow,
  delivery: WebhookDeliveryRow,
  ended: EndedAttempt,
): Promise<"delivered" | "failed" | "dead"> {
  const now = parts.clock.now();
  const random = randomFrom(parts.randomBytes);
  const attempts = delivery.attempt_count + 1;
  const { expires_at: expiresAt } = delivery;
  const isDelivered = ended.kind === "delivered";
  const dueAt = isDelivered
    ? undefined
    : ended.kind === "gone"
      ? now
      : nextAttemptAt({ attempts, now, expiresAt, retryAt: ended.retryAt }, random);
  const state = isDelivered ? "delivered" : dueAt === undefined ? "dead" : "pending";
  const isHeldBack = state === "pending" && (await hasEarlier(db, endpoint, delivery));
  await db
    .updateTable("webhook_delivery")
    .set({
      state,
      due_at: isHeldBack ? null : (dueAt ?? null),
      attempt_count: attempts,
      attempts: withAttempt(delivery.attempts, ended.attempt),
      lease: null,
      leased_until: null,
      ended_at: dueAt === undefined ? now : null,
    })
    .where("delivery_id", "=", delivery.delivery_id)
    .execute();
  const hasEnded = state !== "pending";
  await db
    .updateTable("webhook_endpoint")
    .set({
      ...(isDelivered ? afterSuccess(endpoint, now) : afterFailure(endpoint, ended, now, random)),
      ...(hasEnded && { pending_count: sql<number>`pending_count - 1` }),
    })
    .where("endpoint_id", "=", endpoint.endpoint_id)
    .execute();
  const { event, subject } = delivery;
  if (hasEnded && subject !== null) await makeFirstDue(db, endpoint, [{ event, subject }], now);
  if (isDelivered && endpoint.failure_count >= DOWN_AFTER_FAILURES) await wakeWaiting(db, endpoint, now);
  return state === "pending" ? "failed" : state;
}

function afterSuccess(endpoint: WebhookEndpointRow, now: number) {
  // The receiver may have requested a wait in its answer to a concurrent attempt.
  const requestedUntil = endpoint.requested_until > now ? endpoint.requested_until : 0;
  return {
    failure_count: 0,
    rests_until: Math.max(requestedUntil, earlierWait(endpoint, now)),
    requested_until: requestedUntil,
    last_delivered_at: now,
  };
}

/**
 * Returns the end of the wait that an older version on the same store has noted in `rests_until`; 0 if it noted none.
 * The older version does not know `requested_until`, so until 0.2.0 requested waits are written to both columns. The
 * `rests_until` of an endpoint that is down is not such a wait: it may be the lease of a probe.
 */
function earlierWait({ failure_count, rests_until }: WebhookEndpointRow, now: number): number {
  return failure_count < DOWN_AFTER_FAILURES && rests_until > now ? rests_until : 0;
}

function afterFailure(
  endpoint: WebhookEndpointRow,
  { kind, attempt, retryAt }: EndedAttempt,
  now: number,
  random: Random,
): Partial<WebhookTables["webhook_endpoint"]> {
  const failures = endpoint.failure_count + 1;
  // Concurrent attempts end one after another; none of them may shorten the wait that another was asked for.
  const requestedUntil = Math.max(requestedWait(retryAt, now), endpoint.requested_until);
  return {
    failure_count: failures,
    rests_until: Math.max(restsUntil({ failures, now }, random), requestedUntil, earlierWait(endpoint, now)),
    requested_until: requestedUntil,
    last_failed_at: now,
    last_error: attempt.error ?? "",
    ...(kind === "gone" &&
      endpoint.state === "active" && { state: "disabled", state_reason: GONE, state_changed_at: now }),
  };
}

/** Makes the deliveries that wait for their next attempt due now. Called when an endpoint that was down recovers. */
async function wakeWaiting(db: WebhookDatabase, { endpoint_id }: WebhookEndpointRow, now: number): Promise<void> {
  await db
    .updateTable("webhook_delivery")
    .set({ due_at: now })
    .where("endpoint_id", "=", endpoint_id)
    .where("state", "=", "pending")
    .where("due_at", ">", now)
    .where("lease", "is", null)
    .execute();
}
