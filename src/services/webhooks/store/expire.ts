import { sql } from "kysely";
import { hasActivePlan } from "../../../database/active-plan.js";
import type { StoreParts } from "../../../database/service-store.js";
import { inTransaction } from "../../../database/transaction.js";
import { lockEndpoint } from "./endpoint-rows.js";
import { followPlans } from "./lapsed-plans.js";
import { type LogSubject, makeFirstDue } from "./subject-order.js";
import { type WebhookDatabase, webhooksIn } from "./tables.js";

const ENDPOINTS_AT_ONCE = 200;
/** Maximum number of deliveries ended by one transaction. */
const ROWS_MAX = 500;

/**
 * Abandons deliveries that were not accepted in time, even those never tried because their endpoint was down.
 * Deliveries of an account whose plan has lapsed do not expire.
 */
export async function expireDeliveries(parts: StoreParts, signal: AbortSignal): Promise<void> {
  await followPlans(parts, signal);
  const db = webhooksIn(parts.database.db);
  for (let after = ""; ; ) {
    signal.throwIfAborted();
    const rows = await expiringEndpoints(db, after, parts.clock.now());
    for (const { endpoint_id } of rows) {
      while ((await expireSome(parts, endpoint_id)) === ROWS_MAX) signal.throwIfAborted();
    }
    const last = rows.at(-1);
    if (!last || rows.length < ENDPOINTS_AT_ONCE) return;
    after = last.endpoint_id;
  }
}

function expiringEndpoints(db: WebhookDatabase, after: string, now: number) {
  return db
    .selectFrom("webhook_endpoint as endpoint")
    .select("endpoint_id")
    .where("endpoint_id", ">", after)
    .where("state", "=", "active")
    .where("pending_count", ">", 0)
    .where("plan_lapsed_at", "is", null)
    .where(hasActivePlan("endpoint.account_id"))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("webhook_delivery as delivery")
          .select("delivery.delivery_id")
          .whereRef("delivery.endpoint_id", "=", "endpoint.endpoint_id")
          .where("delivery.state", "=", "pending")
          .where("delivery.expires_at", "<=", now),
      ),
    )
    .orderBy("endpoint_id")
    .limit(ENDPOINTS_AT_ONCE)
    .execute();
}

/**
 * Ends some expired deliveries of an endpoint and returns their number. Deliveries that are being sent do not expire.
 */
function expireSome({ database, clock }: StoreParts, endpointId: string): Promise<number> {
  return inTransaction(database.db, async (on) => {
    const db = webhooksIn(on);
    const now = clock.now();
    const endpoint = await lockEndpoint(db, endpointId);
    if (endpoint?.state !== "active" || endpoint.plan_lapsed_at !== null) return 0;
    const expired = await db
      .updateTable("webhook_delivery")
      .set({ state: "dead", due_at: null, ended_at: now, lease: null, leased_until: null })
      .where("delivery_id", "in", (rows) =>
        rows
          .selectFrom("webhook_delivery")
          .select("delivery_id")
          .where("endpoint_id", "=", endpointId)
          .where("state", "=", "pending")
          .where("expires_at", "<=", now)
          .where((is) => is.or([is("leased_until", "is", null), is("leased_until", "<=", now)]))
          .orderBy("expires_at")
          .limit(ROWS_MAX),
      )
      .returning(["event", "subject"])
      .execute();
    if (expired.length === 0) return 0;
    await db
      .updateTable("webhook_endpoint")
      .set({ pending_count: sql<number>`pending_count - ${expired.length}` })
      .where("endpoint_id", "=", endpointId)
      .execute();
    const subjects = expired.filter((row): row is LogSubject => row.subject !== null);
    await makeFirstDue(db, endpoint, subjects, now);
    return expired.length;
  });
}
