import { createHash } from "node:crypto";
import type { Transaction } from "kysely";
import type { Account, PlanEvent } from "../contract/access/accounts.js";
import type { OpenDatabase } from "../database/open-database.js";
import type { Database } from "../database/schema.js";
import { accessChange } from "./access-change.js";
import { type Actor, changePlan } from "./accounts.js";

/** A plan event with the bytes in which it was sent. */
export interface ReceivedPlanEvent extends PlanEvent {
  readonly bytes: Buffer;
}

/** The plan events of the billing system that were applied. */
export interface PlanEvents {
  /**
   * Sets the plan of the event's account and stores the event, in one transaction. For an event that was applied
   * before, changes nothing and returns the account as it was after the first time, or `other body` if the bytes
   * differ. Returns undefined if the account does not exist; the event can then be sent again.
   */
  apply(event: ReceivedPlanEvent, by: Actor): Promise<Account | "other body" | undefined>;
}

/** Maximum number of stored events per account. The oldest events beyond it are forgotten. */
export const EVENTS_KEPT_MAX = 1_000;

export function planEventsOf({ db }: OpenDatabase, now: () => number): PlanEvents {
  return {
    apply: ({ eventId, accountId, plan, state, bytes }, by) =>
      accessChange(db, async (transaction) => {
        const event_hash = eventHashOf(eventId);
        const body_hash = sha256(bytes);
        const earlier = await transaction
          .selectFrom("plan_event")
          .select(["body_hash", "account"])
          .where("event_hash", "=", event_hash)
          .executeTakeFirst();
        // The cast is safe, because the column was written from a value of this type.
        if (earlier) return earlier.body_hash === body_hash ? (JSON.parse(earlier.account) as Account) : "other body";
        const account = await changePlan(transaction, { id: accountId, plan, state }, by, now());
        if (!account) return undefined;
        await transaction
          .insertInto("plan_event")
          .values({
            event_hash,
            body_hash,
            account_id: accountId,
            account: JSON.stringify(account),
            applied_at: now(),
          })
          .execute();
        await forgetOldest(transaction, accountId);
        return account;
      }),
  };
}

/** Returns the key under which an event is stored. It is also the key of the claims in which events used to be kept. */
function eventHashOf(eventId: string): string {
  return sha256(`plan event ${eventId}`);
}

async function forgetOldest(transaction: Transaction<Database>, accountId: string): Promise<void> {
  const beyond = transaction
    .selectFrom("plan_event")
    .select("event_hash")
    .where("account_id", "=", accountId)
    .orderBy("applied_at", "desc")
    .orderBy("event_hash")
    // Each new event displaces at most one.
    .limit(1)
    .offset(EVENTS_KEPT_MAX);
  await transaction.deleteFrom("plan_event").where("event_hash", "in", beyond).execute();
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
