import { sql } from "kysely";
import type { StoreCall, StoreParts } from "../../../database/service-store.js";
import type { Delivery, DeliveryQuery, WebhookDeliveries } from "../ports.js";
import { DELIVERED_WITHIN_MS, PENDING_MAX, REPLAYED_MAX } from "../rules/limits.js";
import { TEST_EVENT } from "../rules/message.js";
import { accountOf } from "./account-of.js";
import { newDeliveries, servedDelivery } from "./delivery-rows.js";
import { lockEndpoint } from "./endpoint-rows.js";
import { holdBack, type LogSubject, makeFirstDue } from "./subject-order.js";
import { type WebhookDatabase, type WebhookDeliveryRow, type WebhookEndpointRow, webhooksIn } from "./tables.js";

/** Opens the deliveries of the caller's account. */
export function deliveryStore(parts: StoreParts, call: StoreCall): WebhookDeliveries {
  const { clock } = parts;
  const db = webhooksIn(call.db);
  const accountId = accountOf(call);
  return {
    list: (query) => listed(db, accountId, query),
    async sendTest(endpointId) {
      const endpoint = await lockEndpoint(db, endpointId, accountId);
      if (!endpoint) return undefined;
      if (endpoint.state !== "active") return "not active";
      if (endpoint.pending_count >= PENDING_MAX) return "full";
      const now = clock.now();
      const data = JSON.stringify({ endpointId, message: "This is a test message." });
      const message = { event: TEST_EVENT, position: null, subject: null, data, dueAt: now };
      const [row] = newDeliveries(parts, endpoint, [message], now);
      if (!row) throw new Error("a test message was not created");
      await db.insertInto("webhook_delivery").values(row).execute();
      // The caller waits for the outcome, so a resting endpoint is tried again now.
      await db
        .updateTable("webhook_endpoint")
        .set({ pending_count: sql<number>`pending_count + 1`, rests_until: 0, requested_until: 0 })
        .where("endpoint_id", "=", endpointId)
        .execute();
      return servedDelivery(row);
    },
    async replay(endpointId, deliveryIds) {
      const endpoint = await lockEndpoint(db, endpointId, accountId);
      if (!endpoint) return undefined;
      const replayedCount = await revive(db, endpoint, deliveryIds, clock.now());
      const { dead } = await db
        .selectFrom("webhook_delivery")
        .select(({ fn }) => fn.countAll<number | string>().as("dead"))
        .where("endpoint_id", "=", endpointId)
        .where("state", "=", "dead")
        .executeTakeFirstOrThrow();
      // PostgreSQL returns counts as text.
      return { replayedCount, deadCount: Number(dead) };
    },
  };
}

const allStates = ["pending", "delivered", "dead"];

/** Reads each state separately, so that an index finds the rows of rare states among many others. */
async function listed(
  db: WebhookDatabase,
  accountId: string,
  { endpointId, states, before, rowsMax }: DeliveryQuery,
): Promise<readonly Delivery[]> {
  const rows: WebhookDeliveryRow[] = [];
  for (const state of states.length > 0 ? states : allStates) {
    let query = db
      .selectFrom("webhook_delivery")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("state", "=", state);
    if (endpointId !== "") query = query.where("endpoint_id", "=", endpointId);
    if (before !== "") query = query.where("delivery_id", "<", before);
    rows.push(...(await query.orderBy("delivery_id", "desc").limit(rowsMax).execute()));
  }
  const newestFirst = rows.toSorted((a, b) => (a.delivery_id < b.delivery_id ? 1 : -1));
  return newestFirst.slice(0, rowsMax).map(servedDelivery);
}

/**
 * Makes dead deliveries of a locked endpoint pending again, oldest first, until `PENDING_MAX` deliveries wait. Returns
 * their number.
 */
async function revive(
  db: WebhookDatabase,
  endpoint: WebhookEndpointRow,
  deliveryIds: readonly string[] | undefined,
  now: number,
): Promise<number> {
  const { endpoint_id: endpointId, pending_count: pendingCount } = endpoint;
  const revivedMax = Math.min(REPLAYED_MAX, PENDING_MAX - pendingCount);
  if (revivedMax <= 0) return 0;
  const revived = await db
    .updateTable("webhook_delivery")
    .set({ state: "pending", due_at: now, expires_at: now + DELIVERED_WITHIN_MS, attempt_count: 0, ended_at: null })
    .where("delivery_id", "in", (dead) => {
      const query = dead
        .selectFrom("webhook_delivery")
        .select("delivery_id")
        .where("endpoint_id", "=", endpointId)
        .where("state", "=", "dead")
        .orderBy("delivery_id")
        .limit(revivedMax);
      return deliveryIds === undefined ? query : query.where("delivery_id", "in", deliveryIds);
    })
    .returning(["event", "subject"])
    .execute();
  if (revived.length === 0) return 0;
  await db
    .updateTable("webhook_endpoint")
    .set({ pending_count: sql<number>`pending_count + ${revived.length}`, rests_until: 0, requested_until: 0 })
    .where("endpoint_id", "=", endpointId)
    .execute();
  const subjects = revived.filter((row): row is LogSubject => row.subject !== null);
  await holdBack(db, endpoint, subjects);
  await makeFirstDue(db, endpoint, subjects, now);
  return revived.length;
}
