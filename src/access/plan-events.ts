import { createHash } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { Account, PlanEvent } from "../contract/access/accounts.js";
import { KEPT_MS } from "../database/idempotency.js";
import type { OpenDatabase } from "../database/open-database.js";
import type { Database, PlanEventRow } from "../database/schema.js";
import { accessChange } from "./access-change.js";
import { type Actor, changePlan, findAccount } from "./accounts.js";

/** A plan event with the bytes in which it was sent. */
export interface ReceivedPlanEvent extends PlanEvent {
  readonly bytes: Buffer;
}

/** The account as it was after the event, and whether the event had been applied before. */
export interface AppliedPlanEvent {
  readonly account: Account;
  readonly isRepeat: boolean;
}

/** The plan events of the billing system that were applied. */
export interface PlanEvents {
  /**
   * Sets the plan of the event's account and stores the event, in one transaction. For an event that was applied
   * before, changes nothing and returns the account as it was after the first time, or `other body` if the bytes
   * differ. Returns undefined if the account does not exist; the event can then be sent again.
   */
  apply(event: ReceivedPlanEvent, by: Actor): Promise<AppliedPlanEvent | "other body" | undefined>;
}

/** Maximum number of stored events per account. The oldest events beyond it are forgotten. */
export const EVENTS_KEPT_MAX = 1_000;

export function planEventsOf({ db }: OpenDatabase, now: () => number): PlanEvents {
  return {
    async apply({ eventId, accountId, plan, state, bytes }, by) {
      const event_hash = eventHashOf(eventId);
      const body_hash = sha256(bytes);
      // An access change locks out all others and makes every node read its credentials again, so an event that changes
      // nothing must not become one.
      const stored = await storedEvent(db, event_hash);
      if (stored) return repeatOf(stored, body_hash);
      if (!(await findAccount(db, accountId))) return undefined;
      return accessChange(db, async (transaction) => {
        // Another call may have applied the event in the meantime.
        const earlier = (await storedEvent(transaction, event_hash)) ?? (await adoptedEvent(transaction, event_hash));
        if (earlier) return repeatOf(earlier, body_hash);
        const account = await changePlan(transaction, { id: accountId, plan, state }, by, now());
        if (!account) return undefined;
        const applied_at = now();
        const event = { event_hash, body_hash, account_id: accountId, account: JSON.stringify(account), applied_at };
        await store(transaction, event);
        await storeClaim(transaction, event);
        return { account, isRepeat: false };
      });
    },
  };
}

function repeatOf({ body_hash, account }: PlanEventRow, repeatedHash: string): AppliedPlanEvent | "other body" {
  if (body_hash !== repeatedHash) return "other body";
  // The cast is safe, because the column was written from a value of this type.
  return { account: JSON.parse(account) as Account, isRepeat: true };
}

/**
 * Returns the key under which an event is stored. It is also the key of its claim: builds of 0.1.0 without the table
 * `plan_event` keep applied events among the idempotency claims, for 24 hours.
 */
function eventHashOf(eventId: string): string {
  return sha256(`plan event ${eventId}`);
}

async function storedEvent(on: Kysely<Database>, event_hash: string): Promise<PlanEventRow | undefined> {
  return on.selectFrom("plan_event").selectAll().where("event_hash", "=", event_hash).executeTakeFirst();
}

/**
 * Stores and returns an event that a build with claims has applied; undefined if there is none. Such a build may still
 * be running beside this one. Needed until 0.2.0, like `storeClaim`.
 */
async function adoptedEvent(transaction: Transaction<Database>, event_hash: string): Promise<PlanEventRow | undefined> {
  const claim = await transaction
    .selectFrom("idempotency_claim")
    .select(["body_hash", "body", "claimed_at"])
    .where("claim", "=", event_hash)
    .where("status", "=", 200)
    .executeTakeFirst();
  if (!claim || claim.body === null) return undefined;
  const { account } = JSON.parse(claim.body) as { readonly account: Account };
  const { body_hash, claimed_at: applied_at } = claim;
  const event = { event_hash, body_hash, account_id: account.id, account: JSON.stringify(account), applied_at };
  await store(transaction, event);
  return event;
}

/**
 * Stores the claim of an applied event, so that a build with claims that still runs on this store does not apply the
 * event again. Replaces a claim without an answer, whose holder has died or is applying the same event. Needed until
 * 0.2.0.
 */
async function storeClaim(
  transaction: Transaction<Database>,
  { event_hash, body_hash, account, applied_at }: PlanEventRow,
): Promise<void> {
  const body = `{"account":${account}}`;
  const claim = {
    body_hash,
    holder: "",
    claimed_at: applied_at,
    expires_at: applied_at + KEPT_MS,
    owner: "plan events",
    kept_bytes: Buffer.byteLength(body),
    status: 200,
    content_type: "application/json",
    body,
  };
  await transaction
    .insertInto("idempotency_claim")
    .values({ claim: event_hash, ...claim })
    .onConflict((conflict) => conflict.column("claim").doUpdateSet(claim))
    .execute();
}

async function store(transaction: Transaction<Database>, event: PlanEventRow): Promise<void> {
  await transaction.insertInto("plan_event").values(event).execute();
  await forgetOldest(transaction, event.account_id);
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
