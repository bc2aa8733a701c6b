import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { StoreParts } from "../../../../database/service-store.js";
import { DAY_MS } from "../../../../kit/clock.js";
import { ASK_WAIT_MS_MAX, ASKED_EVERY_MS, ASKED_PER_DAY_MAX, MAILED_WITHIN_MS } from "../../rules/mail-limits.js";
import { pendingMail } from "./pending-mail.js";
import type { MailDatabase, WatchEmailRow } from "./tables.js";
import { hashOfToken, linkToken, stopSubject } from "./tokens.js";

type AddressParts = Pick<StoreParts, "clock" | "randomBytes" | "signer">;

export interface Recipients {
  readonly accountId: string;
  readonly watchId: string;
  /** In lower case, without duplicates. */
  readonly addresses: readonly string[];
}

/**
 * Makes these addresses the recipients of a watch, in the transaction of the write. Requests confirmation of each
 * unconfirmed address, unless the account's latest confirmation email to the address fell due in the last 24 hours or
 * is still to come. `too many` means that the account has named too many new addresses today, or that other accounts
 * keep naming one of these addresses. The caller must then roll back.
 */
export async function setRecipients(
  parts: AddressParts,
  db: MailDatabase,
  { accountId, watchId, addresses }: Recipients,
): Promise<"set" | "too many"> {
  await dropOthers(db, watchId, addresses);
  // In a fixed order, so that transactions cannot deadlock.
  for (const address of addresses.toSorted()) {
    await db
      .insertInto("watch_recipient")
      .values({
        watch_id: watchId,
        address,
        account_id: accountId,
        stop_hash: hashOfToken(linkToken(parts.signer, "stop", stopSubject(watchId, address))),
        stopped_at: null,
      })
      .onConflict((conflict) => conflict.columns(["watch_id", "address"]).doNothing())
      .execute();
    await db
      .deleteFrom("watch_former_recipient")
      .where("watch_id", "=", watchId)
      .where("address", "=", address)
      .execute();
    if ((await askIfNeeded(parts, db, accountId, address)) === "too many") return "too many";
  }
  return "set";
}

/** Stops the emails of a removed watch. */
export async function dropRecipients(db: MailDatabase, watchId: string): Promise<void> {
  await db.deleteFrom("watch_recipient").where("watch_id", "=", watchId).execute();
  await db.deleteFrom("watch_former_recipient").where("watch_id", "=", watchId).execute();
}

/**
 * Removes the recipients that a watch no longer names, except the stopped ones, which stay stopped if the watch names
 * them again. Notes all of them as former recipients, so that they can still be stopped.
 */
async function dropOthers(db: MailDatabase, watchId: string, addresses: readonly string[]): Promise<void> {
  await db
    .insertInto("watch_former_recipient")
    .columns(["watch_id", "address", "account_id", "stop_hash"])
    .expression((from) =>
      from
        .selectFrom("watch_recipient")
        .select(["watch_id", "address", "account_id", "stop_hash"])
        .where("watch_id", "=", watchId)
        .$if(addresses.length > 0, (others) => others.where("address", "not in", [...addresses])),
    )
    .onConflict((conflict) => conflict.columns(["watch_id", "address"]).doNothing())
    .execute();
  await db
    .deleteFrom("watch_recipient")
    .where("watch_id", "=", watchId)
    .where("stopped_at", "is", null)
    .$if(addresses.length > 0, (others) => others.where("address", "not in", [...addresses]))
    .execute();
}

/** True for a row of `watch_recipient as recipient` whose address the watch names. */
export const isNamedByWatch: RawBuilder<SqlBool> = sql<SqlBool>`(
  recipient.stopped_at is null
  or not exists (
    select 1 from watch_former_recipient as former
    where former.watch_id = recipient.watch_id and former.address = recipient.address
  )
)`;

async function askIfNeeded(
  parts: AddressParts,
  db: MailDatabase,
  accountId: string,
  address: string,
): Promise<"done" | "too many"> {
  const now = parts.clock.now();
  const earlier = await lockAddress(db, accountId, address);
  if (earlier && earlier.unused_since !== null) await markUsed(db, earlier);
  if (earlier?.state === "confirmed") return "done";
  if (earlier && earlier.asked_at > now - ASKED_EVERY_MS) return "done";
  if ((await countAsked(db, accountId, now)) > ASKED_PER_DAY_MAX) return "too many";
  const askedAt = await takeSlot(db, address, now);
  if (askedAt > now + ASK_WAIT_MS_MAX) return "too many";
  await ask(parts, db, { accountId, address, askedAt });
  return "done";
}

async function markUsed(db: MailDatabase, { account_id, address }: WatchEmailRow): Promise<void> {
  await db
    .updateTable("watch_email")
    .set({ unused_since: null })
    .where("account_id", "=", account_id)
    .where("address", "=", address)
    .execute();
}

/** Locks an address of an account until the transaction ends, and returns its row; undefined if there is none. */
export async function lockAddress(
  db: MailDatabase,
  accountId: string,
  address: string,
): Promise<WatchEmailRow | undefined> {
  return db
    .updateTable("watch_email")
    .set({ address })
    .where("account_id", "=", accountId)
    .where("address", "=", address)
    .returningAll()
    .executeTakeFirst();
}

/** Counts one more confirmation request of the account for today, UTC, and returns today's total. */
async function countAsked(db: MailDatabase, accountId: string, now: number): Promise<number> {
  const day = now - (now % DAY_MS);
  const { asked_count } = await db
    .insertInto("watch_email_account")
    .values({ account_id: accountId, day, asked_count: 1 })
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet({
        day,
        asked_count: sql<number>`case when watch_email_account.day = ${day} then watch_email_account.asked_count + 1 else 1 end`,
      }),
    )
    .returning("asked_count")
    .executeTakeFirstOrThrow();
  return asked_count;
}

/**
 * Reserves the next time at which a confirmation may be sent to an address: now, or a day after the last reserved time
 * if that is later.
 */
async function takeSlot(db: MailDatabase, address: string, now: number): Promise<number> {
  const { asked_at } = await db
    .insertInto("watch_email_slot")
    .values({ address, asked_at: now })
    .onConflict((conflict) =>
      conflict.column("address").doUpdateSet({
        asked_at: sql<number>`case when watch_email_slot.asked_at + ${ASKED_EVERY_MS} > ${now} then watch_email_slot.asked_at + ${ASKED_EVERY_MS} else ${now} end`,
      }),
    )
    .returning("asked_at")
    .executeTakeFirstOrThrow();
  return asked_at;
}

interface Asking {
  readonly accountId: string;
  readonly address: string;
  readonly askedAt: number;
}

/** Queues the email that asks for confirmation. The links in earlier confirmation emails become invalid. */
async function ask(parts: AddressParts, db: MailDatabase, { accountId, address, askedAt }: Asking): Promise<void> {
  const now = parts.clock.now();
  const mail = pendingMail(parts, {
    account_id: accountId,
    address,
    watch_id: null,
    position: null,
    due_at: askedAt,
    expires_at: askedAt + MAILED_WITHIN_MS,
  });
  const pending = {
    state: "pending",
    state_reason: null,
    state_changed_at: now,
    token_hash: hashOfToken(linkToken(parts.signer, "confirm", mail.mail_id)),
    asked_at: askedAt,
  };
  await db
    .insertInto("watch_email")
    .values({ account_id: accountId, address, position: 0, unused_since: null, ...pending })
    .onConflict((conflict) => conflict.columns(["account_id", "address"]).doUpdateSet(pending))
    .execute();
  await db.insertInto("watch_mail").values(mail).execute();
}

type RecipientState = "pending" | "confirmed" | "refused" | "stopped";

export interface StoredRecipient {
  readonly watchId: string;
  readonly address: string;
  readonly state: RecipientState;
  /** The mail server's answer about a rejected address. */
  readonly reason: string | undefined;
}

/** Reads the recipients that watches name, sorted by watch and address. */
export async function recipientsOf(db: MailDatabase, watchIds: readonly string[]): Promise<readonly StoredRecipient[]> {
  if (watchIds.length === 0) return [];
  const rows = await db
    .selectFrom("watch_recipient as recipient")
    .innerJoin("watch_email as email", (join) =>
      join.onRef("email.account_id", "=", "recipient.account_id").onRef("email.address", "=", "recipient.address"),
    )
    .select(["recipient.watch_id", "recipient.address", "recipient.stopped_at", "email.state", "email.state_reason"])
    .where("recipient.watch_id", "in", [...watchIds])
    .where(isNamedByWatch)
    .orderBy("recipient.watch_id")
    .orderBy("recipient.address")
    .execute();
  return rows.map(({ watch_id, address, stopped_at, state, state_reason }) => ({
    watchId: watch_id,
    address,
    // The cast is safe, because the column has no other values.
    state: stopped_at === null ? (state as RecipientState) : "stopped",
    reason: state_reason ?? undefined,
  }));
}

/** Reads the newest position of the log of an account's firings. */
export type NewestFiring = (accountId: string) => Promise<number>;

/**
 * Confirms the email address to which a confirmation link was sent. Returns true even if the address was confirmed
 * before. Returns false for an unknown or replaced link, for an address that the mail server refused, and for an
 * unconfirmed address whose confirmation email was due before `since`.
 */
export async function confirmAddress(
  { clock }: Pick<StoreParts, "clock">,
  db: MailDatabase,
  token: string,
  { since, newest }: { readonly since: number; readonly newest: NewestFiring },
): Promise<boolean> {
  const email = await db
    .updateTable("watch_email")
    .set({ token_hash: sql`token_hash` })
    .where("token_hash", "=", hashOfToken(token))
    .returningAll()
    .executeTakeFirst();
  if (!email || email.state === "refused" || (email.state === "pending" && email.asked_at < since)) return false;
  if (email.state === "confirmed") return true;
  await db
    .updateTable("watch_email")
    .set({ state: "confirmed", state_changed_at: clock.now(), position: await newest(email.account_id) })
    .where("account_id", "=", email.account_id)
    .where("address", "=", email.address)
    .execute();
  return true;
}

/**
 * Stops the emails that a watch sends to an address, also if the watch no longer names the address and should name it
 * again. The link in these emails identifies the watch and the address.
 * Returns false for an unknown link.
 */
export async function stopMails(
  { clock }: Pick<StoreParts, "clock">,
  db: MailDatabase,
  token: string,
): Promise<boolean> {
  const now = clock.now();
  const stop_hash = hashOfToken(token);
  const stopped = { stopped_at: sql<number>`coalesce(watch_recipient.stopped_at, ${now})` };
  const recipient = await db
    .updateTable("watch_recipient")
    .set(stopped)
    .where("stop_hash", "=", stop_hash)
    .returning("watch_id")
    .executeTakeFirst();
  if (recipient) return true;
  const former = await db
    .selectFrom("watch_former_recipient")
    .select(["watch_id", "address", "account_id"])
    .where("stop_hash", "=", stop_hash)
    .executeTakeFirst();
  if (!former) return false;
  // A concurrent write may be making the watch name the address again.
  await db
    .insertInto("watch_recipient")
    .values({ ...former, stop_hash, stopped_at: now })
    .onConflict((conflict) => conflict.columns(["watch_id", "address"]).doUpdateSet(stopped))
    .execute();
  return true;
}
