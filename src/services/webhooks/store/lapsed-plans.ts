import { sql } from "kysely";
import { hasActivePlan } from "../../../database/active-plan.js";
import type { StoreParts } from "../../../database/service-store.js";
import { inTransaction } from "../../../database/transaction.js";
import { lockEndpoint } from "./endpoint-rows.js";
import { type WebhookDatabase, webhooksIn } from "./tables.js";

/** Maximum number of endpoints that one round changes in each direction. Further endpoints follow in the next round. */
const ENDPOINTS_MAX = 500;

/**
 * Notes which endpoints wait because the plan of their account has lapsed. Once the plan is active again, postpones the
 * expiry of their waiting deliveries by the time of the lapse. Until then, nothing is sent to them and nothing expires.
 */
export async function followPlans(parts: StoreParts, signal: AbortSignal): Promise<void> {
  const db = webhooksIn(parts.database.db);
  for (const endpointId of await newlyLapsed(db)) {
    signal.throwIfAborted();
    await noteLapse(parts, endpointId);
  }
  for (const endpointId of await noLongerLapsed(db)) {
    signal.throwIfAborted();
    await endLapse(parts, endpointId);
  }
}

async function newlyLapsed(db: WebhookDatabase): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("webhook_endpoint as endpoint")
    .select("endpoint_id")
    .where("state", "=", "active")
    .where("pending_count", ">", 0)
    .where("plan_lapsed_at", "is", null)
    .where(({ not }) => not(hasActivePlan("endpoint.account_id")))
    .limit(ENDPOINTS_MAX)
    .execute();
  return rows.map(({ endpoint_id }) => endpoint_id);
}

/** Finds endpoints whose wait ended because the plan is active again, or the endpoint was paused or disabled. */
async function noLongerLapsed(db: WebhookDatabase): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("webhook_endpoint as endpoint")
    .select("endpoint_id")
    .where("plan_lapsed_at", "is not", null)
    .where("state", "<>", "deleted")
    .where((is) => is.or([is("state", "<>", "active"), hasActivePlan("endpoint.account_id")]))
    .limit(ENDPOINTS_MAX)
    .execute();
  return rows.map(({ endpoint_id }) => endpoint_id);
}

async function noteLapse({ database, clock }: StoreParts, endpointId: string): Promise<void> {
  await webhooksIn(database.db)
    .updateTable("webhook_endpoint")
    .set({ plan_lapsed_at: clock.now() })
    .where("endpoint_id", "=", endpointId)
    .where("state", "=", "active")
    .where("plan_lapsed_at", "is", null)
    .execute();
}

function endLapse({ database, clock }: StoreParts, endpointId: string): Promise<void> {
  return inTransaction(database.db, async (on) => {
    const db = webhooksIn(on);
    const endpoint = await lockEndpoint(db, endpointId);
    if (!endpoint || endpoint.plan_lapsed_at === null) return;
    // When an inactive endpoint is activated, the expiry is postponed by the time since it became inactive.
    const endedAt = endpoint.state === "active" ? clock.now() : endpoint.state_changed_at;
    const lapsedMs = Math.max(endedAt - endpoint.plan_lapsed_at, 0);
    await db
      .updateTable("webhook_delivery")
      .set({ expires_at: sql<number>`expires_at + ${lapsedMs}` })
      .where("endpoint_id", "=", endpointId)
      .where("state", "=", "pending")
      .where("created_at", "<=", endpoint.plan_lapsed_at)
      .execute();
    await db
      .updateTable("webhook_endpoint")
      .set({ plan_lapsed_at: null })
      .where("endpoint_id", "=", endpointId)
      .execute();
  });
}
