import type { Endpoint } from "../ports.js";
import { type EndpointState, endpointStates, type Order, orders } from "../records.js";
import type { WebhookDatabase, WebhookEndpointRow, WebhookSubscriptionRow } from "./tables.js";

const STATE_PREFIX = "WEBHOOK_ENDPOINT_STATE_";
const ORDER_PREFIX = "WEBHOOK_ORDER_";

export const stateColumn = (state: EndpointState): string => state.slice(STATE_PREFIX.length).toLowerCase();
export const orderColumn = (order: Order): string => order.slice(ORDER_PREFIX.length).toLowerCase();

/**
 * Locks an endpoint until the transaction ends. Undefined if no endpoint has this id, or if the endpoint belongs to an
 * account other than `accountId`.
 */
export async function lockEndpoint(
  db: WebhookDatabase,
  endpointId: string,
  accountId?: string,
): Promise<WebhookEndpointRow | undefined> {
  let update = db
    .updateTable("webhook_endpoint")
    .set({ endpoint_id: endpointId })
    .where("endpoint_id", "=", endpointId)
    .where("state", "<>", "deleted");
  if (accountId !== undefined) update = update.where("account_id", "=", accountId);
  return update.returningAll().executeTakeFirst();
}

/** Converts rows to served endpoints, in the order of the rows. */
export async function servedEndpoints(
  db: WebhookDatabase,
  rows: readonly WebhookEndpointRow[],
): Promise<readonly Endpoint[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ endpoint_id }) => endpoint_id);
  const subscriptions = await db
    .selectFrom("webhook_subscription")
    .selectAll()
    .where("endpoint_id", "in", ids)
    .orderBy("event")
    .execute();
  const secrets = await db
    .selectFrom("webhook_secret")
    .select(["endpoint_id", "ends_at"])
    .where("endpoint_id", "in", ids)
    .where("ends_at", "is not", null)
    .execute();
  return rows.map((row) =>
    servedEndpoint(
      row,
      subscriptions.filter(({ endpoint_id }) => endpoint_id === row.endpoint_id),
      secrets.find(({ endpoint_id }) => endpoint_id === row.endpoint_id)?.ends_at ?? undefined,
    ),
  );
}

function servedEndpoint(
  row: WebhookEndpointRow,
  subscriptions: readonly WebhookSubscriptionRow[],
  oldSecretEndsAt: number | undefined,
): Endpoint {
  const restsUntil = Math.max(row.rests_until, row.requested_until);
  return {
    endpointId: row.endpoint_id,
    url: row.url,
    ...(row.description !== null && { description: row.description }),
    events: subscriptions.map(({ event }) => event),
    filters: JSON.parse(row.filters),
    order: nameOf(orders, ORDER_PREFIX, row.ordering),
    state: nameOf(endpointStates, STATE_PREFIX, row.state),
    ...(row.state_reason !== null && { stateReason: row.state_reason }),
    pendingCount: row.pending_count,
    failuresInRow: row.failure_count,
    ...(restsUntil > 0 && { restsUntil: iso(restsUntil) }),
    ...(row.last_delivered_at !== null && { lastDeliveredAt: iso(row.last_delivered_at) }),
    ...(row.last_failed_at !== null && { lastFailedAt: iso(row.last_failed_at) }),
    ...(row.last_error !== null && { lastError: row.last_error }),
    ...(oldSecretEndsAt !== undefined && { oldSecretEndsAt: iso(oldSecretEndsAt) }),
    skipped: subscriptions.flatMap(({ event, skipped_count, skipped_at }) =>
      skipped_at === null ? [] : [{ event, positions: skipped_count, skippedAt: iso(skipped_at) }],
    ),
    createdAt: iso(row.created_at),
  };
}

/** Returns the full enum name for the suffix stored in a column. */
export function nameOf<const Name extends string>(names: readonly Name[], prefix: string, column: string): Name {
  const name = names.find((candidate) => candidate === `${prefix}${column.toUpperCase()}`);
  if (name === undefined) throw new Error(`the column holds ${column}, which has no name in ${prefix}`);
  return name;
}

export const iso = (at: number): string => new Date(at).toISOString();
