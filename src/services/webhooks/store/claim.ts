import { sql } from "kysely";
import { hasActivePlan } from "../../../database/active-plan.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { DOWN_AFTER_FAILURES } from "../rules/schedule.js";
import type { WebhookDatabase, WebhookDeliveryRow } from "./tables.js";

/**
 * Duration of a lease, which reserves a delivery for one round of sending on one node. It is longer than any attempt.
 * If a process dies, its deliveries can be leased and sent again after this time.
 */
export const LEASE_MS = 60 * SECOND_MS;

/** An endpoint with deliveries that are due. */
export interface DueEndpoint {
  readonly endpoint_id: string;
  readonly account_id: string;
  readonly url: string;
  readonly failure_count: number;
}

export type ClaimedDelivery = Pick<WebhookDeliveryRow, "delivery_id" | "endpoint_id" | "body" | "expires_at">;

export interface DueQuery {
  /** The endpoint found last. */
  readonly after: string;
  readonly now: number;
  /** Accounts whose endpoints are left out. */
  readonly fullAccounts?: readonly string[];
  /** Accounts to whose endpoints the search is limited; undefined for all accounts. */
  readonly accounts?: readonly string[];
  readonly endpointsMax: number;
}

/**
 * Finds the next endpoints that have due deliveries and whose account has an active plan, in the order of their ids,
 * starting after `after`.
 */
export async function dueEndpoints(
  db: WebhookDatabase,
  { after, now, fullAccounts = [], accounts, endpointsMax }: DueQuery,
): Promise<readonly DueEndpoint[]> {
  return db
    .selectFrom("webhook_endpoint as endpoint")
    .select(["endpoint_id", "account_id", "url", "failure_count"])
    .where("endpoint_id", ">", after)
    .where("state", "=", "active")
    .where("pending_count", ">", 0)
    .where("rests_until", "<=", now)
    .where("requested_until", "<=", now)
    .where("plan_lapsed_at", "is", null)
    .where(hasActivePlan("endpoint.account_id"))
    .$if(fullAccounts.length > 0, (endpoints) => endpoints.where("account_id", "not in", [...fullAccounts]))
    .$if(accounts !== undefined, (endpoints) => endpoints.where("account_id", "in", [...(accounts ?? [])]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("webhook_delivery as delivery")
          .select("delivery.delivery_id")
          .whereRef("delivery.endpoint_id", "=", "endpoint.endpoint_id")
          .where("delivery.state", "=", "pending")
          .where("delivery.due_at", "<=", now)
          .where((is) => is.or([is("delivery.leased_until", "is", null), is("delivery.leased_until", "<=", now)])),
      ),
    )
    .orderBy("endpoint_id")
    .limit(endpointsMax)
    .execute();
}

export interface ClaimBounds {
  readonly lease: string;
  readonly now: number;
  readonly deliveriesMax: number;
}

/**
 * Leases the longest-waiting due deliveries of an endpoint. While an endpoint is down, one node gets a single delivery,
 * and the other nodes get none until the outcome of that delivery is known or its lease ends. Returns none if the
 * endpoint has gone down, recovered or asked to wait since `dueEndpoints` found it.
 */
export async function claimDue(
  db: WebhookDatabase,
  { endpoint_id: endpointId, failure_count }: DueEndpoint,
  { lease, now, deliveriesMax }: ClaimBounds,
): Promise<readonly ClaimedDelivery[]> {
  const isDown = failure_count >= DOWN_AFTER_FAILURES;
  if (isDown && !(await takeProbe(db, endpointId, now))) return [];
  return (
    db
      .updateTable("webhook_delivery")
      .set({ lease, leased_until: now + LEASE_MS })
      .where("delivery_id", "in", (due) =>
        due
          .selectFrom("webhook_delivery")
          .select("delivery_id")
          .where("endpoint_id", "=", endpointId)
          .where("state", "=", "pending")
          .where("due_at", "<=", now)
          .where((is) => is.or([is("leased_until", "is", null), is("leased_until", "<=", now)]))
          .$if(!isDown, (claimable) =>
            claimable.where(({ exists, selectFrom }) =>
              exists(
                selectFrom("webhook_endpoint as endpoint")
                  .select("endpoint.endpoint_id")
                  .where("endpoint.endpoint_id", "=", endpointId)
                  .where("endpoint.failure_count", "<", DOWN_AFTER_FAILURES)
                  .where("endpoint.rests_until", "<=", now)
                  .where("endpoint.requested_until", "<=", now),
              ),
            ),
          )
          .orderBy("due_at")
          .orderBy("delivery_id")
          .limit(isDown ? 1 : deliveriesMax),
      )
      // These conditions repeat those of the subquery. If another node has just leased a row, PostgreSQL rechecks the
      // row only against the conditions of the outer statement.
      .where("state", "=", "pending")
      .where("due_at", "<=", now)
      .where((is) => is.or([is("leased_until", "is", null), is("leased_until", "<=", now)]))
      .returning(["delivery_id", "endpoint_id", "body", "expires_at"])
      .execute()
  );
}

/** True for the one node that may try an endpoint that is down. */
async function takeProbe(db: WebhookDatabase, endpointId: string, now: number): Promise<boolean> {
  const updatedRow = await db
    .updateTable("webhook_endpoint")
    .set({ rests_until: now + LEASE_MS })
    .where("endpoint_id", "=", endpointId)
    // The lease of a probe must not be mistaken for a requested wait, which an endpoint that has recovered keeps.
    .where("failure_count", ">=", DOWN_AFTER_FAILURES)
    .where("rests_until", "<=", now)
    .where("requested_until", "<=", now)
    .returning("endpoint_id")
    .executeTakeFirst();
  return updatedRow !== undefined;
}

/**
 * Releases the leases of the deliveries whose attempts have no outcome, so that another node can send them immediately.
 */
export async function releaseClaims(db: WebhookDatabase, lease: string): Promise<void> {
  const released = await db
    .updateTable("webhook_delivery")
    .set({ lease: null, leased_until: null })
    .where("lease", "=", lease)
    .where("state", "=", "pending")
    .returning("endpoint_id")
    .execute();
  if (released.length === 0) return;
  await db
    .updateTable("webhook_endpoint")
    .set({ rests_until: 0 })
    .where("endpoint_id", "in", [...new Set(released.map(({ endpoint_id }) => endpoint_id))])
    .where("failure_count", ">=", sql.lit(DOWN_AFTER_FAILURES))
    .execute();
}
