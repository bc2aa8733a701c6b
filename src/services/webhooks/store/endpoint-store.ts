import { sql } from "kysely";
import type { StoreCall, StoreParts } from "../../../database/service-store.js";
import { sortableId } from "../../../kit/sortable-id.js";
import type { Endpoint, NewEndpoint, WebhookEndpoints } from "../ports.js";
import { ENDPOINT_PREFIX } from "../records.js";
import { ENDPOINTS_MAX } from "../rules/limits.js";
import { privateTargets } from "../settings.js";
import { accountOf } from "./account-of.js";
import { lockEndpoint, orderColumn, servedEndpoints, stateColumn } from "./endpoint-rows.js";
import { newSecret } from "./secrets.js";
import { type WebhookDatabase, type WebhookEndpointRow, webhooksIn } from "./tables.js";

/** Opens the endpoints of the caller's account. */
export function endpointStore(parts: StoreParts, call: StoreCall): WebhookEndpoints {
  const { clock, settingOf } = parts;
  const db = webhooksIn(call.db);
  const accountId = accountOf(call);
  return {
    privateOrigins: settingOf(privateTargets),
    async list() {
      const rows = await db
        .selectFrom("webhook_endpoint")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("state", "<>", "deleted")
        .orderBy("endpoint_id")
        .execute();
      return servedEndpoints(db, rows);
    },
    async create(added) {
      const now = clock.now();
      if (!(await takePlace(db, accountId))) return "too many";
      const row = newRow(added, sortableId(ENDPOINT_PREFIX, now, parts.randomBytes), accountId, now);
      await db.insertInto("webhook_endpoint").values(row).execute();
      const subscriptions = [...added.positions].map(([event, position]) => ({
        endpoint_id: row.endpoint_id,
        event,
        account_id: accountId,
        position,
        skipped_count: 0,
        skipped_at: null,
      }));
      await db.insertInto("webhook_subscription").values(subscriptions).execute();
      const secret = await newSecret(db, parts, row.endpoint_id, now);
      return { endpoint: await served(db, row), secret };
    },
    async setState(endpointId, state) {
      const row = await lockEndpoint(db, endpointId, accountId);
      if (!row) return undefined;
      if (row.state === stateColumn(state)) return served(db, row);
      return served(db, await inState(db, row, stateColumn(state), clock.now()));
    },
    async rotateSecret(endpointId) {
      const row = await lockEndpoint(db, endpointId, accountId);
      if (!row) return undefined;
      const secret = await newSecret(db, parts, endpointId, clock.now());
      return { endpoint: await served(db, row), secret };
    },
    async remove(endpointId) {
      const row = await lockEndpoint(db, endpointId, accountId);
      if (!row) return false;
      await db.deleteFrom("webhook_secret").where("endpoint_id", "=", endpointId).execute();
      await db.deleteFrom("webhook_subscription").where("endpoint_id", "=", endpointId).execute();
      // The row is only marked here: retention removes its deliveries, of which there may be many, and then the row.
      await db
        .updateTable("webhook_endpoint")
        .set({ state: "deleted", state_changed_at: clock.now() })
        .where("endpoint_id", "=", endpointId)
        .execute();
      await db
        .updateTable("webhook_account")
        .set({ endpoint_count: sql<number>`endpoint_count - 1` })
        .where("account_id", "=", accountId)
        .execute();
      return true;
    },
  };
}

/**
 * Counts one more endpoint, and locks the account until the transaction ends. Returns false if the account then exceeds
 * its maximum. In this case, the call must fail, which undoes the count.
 */
async function takePlace(db: WebhookDatabase, accountId: string): Promise<boolean> {
  const { endpoint_count } = await db
    .insertInto("webhook_account")
    .values({ account_id: accountId, endpoint_count: 1 })
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet({ endpoint_count: sql<number>`webhook_account.endpoint_count + 1` }),
    )
    .returning("endpoint_count")
    .executeTakeFirstOrThrow();
  return endpoint_count <= ENDPOINTS_MAX;
}

function newRow(
  { url, description, filters, order }: NewEndpoint,
  endpointId: string,
  accountId: string,
  now: number,
): WebhookEndpointRow {
  return {
    endpoint_id: endpointId,
    account_id: accountId,
    url,
    description: description ?? null,
    ordering: orderColumn(order),
    filters: JSON.stringify(filters),
    state: "active",
    state_reason: null,
    state_changed_at: now,
    plan_lapsed_at: null,
    pending_count: 0,
    failure_count: 0,
    rests_until: 0,
    requested_until: 0,
    last_delivered_at: null,
    last_failed_at: null,
    last_error: null,
    created_at: now,
  };
}

/** Sets the state of a locked endpoint. Waiting deliveries expire only while the endpoint is active. */
async function inState(
  db: WebhookDatabase,
  { endpoint_id, state, state_changed_at }: WebhookEndpointRow,
  target: string,
  now: number,
): Promise<WebhookEndpointRow> {
  if (target === "active") {
    const stoppedMs = Math.max(now - state_changed_at, 0);
    await db
      .updateTable("webhook_delivery")
      .set({ expires_at: sql<number>`expires_at + ${stoppedMs}` })
      .where("endpoint_id", "=", endpoint_id)
      .where("state", "=", "pending")
      .execute();
  }
  // A disabled endpoint that is paused keeps the time at which it was disabled. When it is activated, the expiry of its
  // deliveries is postponed by the whole time since then.
  const since = state === "active" || target === "active" ? now : state_changed_at;
  return db
    .updateTable("webhook_endpoint")
    .set({
      state: target,
      state_reason: null,
      state_changed_at: since,
      failure_count: 0,
      rests_until: 0,
      requested_until: 0,
    })
    .where("endpoint_id", "=", endpoint_id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function served(db: WebhookDatabase, row: WebhookEndpointRow): Promise<Endpoint> {
  const [endpoint] = await servedEndpoints(db, [row]);
  if (!endpoint) throw new Error("an endpoint was not served");
  return endpoint;
}
