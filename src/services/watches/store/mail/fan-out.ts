import type { LogEntry, LogRead, OpenLog } from "../../../../contract/change-log.js";
import { hasActivePlan } from "../../../../database/active-plan.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { inTransaction } from "../../../../database/transaction.js";
import type { WatchFiring } from "../../records.js";
import { MAILED_WITHIN_MS, WAITING_MAX } from "../../rules/mail-limits.js";
import { lockAddress } from "./addresses.js";
import { pendingMail } from "./pending-mail.js";
import { type MailDatabase, mailsIn, type WatchEmailRow, type WatchMailRow } from "./tables.js";

/** Maximum number of log entries whose emails one transaction queues. */
const ENTRIES_MAX = 100;
const ADDRESSES_AT_ONCE = 500;

/**
 * Queues the emails of new firings, one for each firing and address. One transaction per address queues the emails of
 * at most `ENTRIES_MAX` firings and moves the address's position past these firings. If another node has already moved
 * the position, the transaction does nothing.
 */
export async function queueMails(parts: StoreParts, firings: OpenLog, signal: AbortSignal): Promise<void> {
  const db = mailsIn(parts.database.db);
  const faults: unknown[] = [];
  for (let after: Place = { account_id: "", address: "" }; ; ) {
    signal.throwIfAborted();
    const emails = await confirmedAfter(db, after);
    const newest = await firings.reader.newest([...new Set(emails.map(({ account_id }) => account_id))]);
    for (const email of emails.filter(({ account_id, position }) => (newest.get(account_id) ?? 0) > position)) {
      signal.throwIfAborted();
      await queueOne(parts, firings, email).catch((fault: unknown) => void faults.push(fault));
    }
    const last = emails.at(-1);
    if (!last || emails.length < ADDRESSES_AT_ONCE) break;
    after = last;
  }
  if (faults.length > 0) throw new AggregateError(faults, `addresses whose firings were not queued: ${faults.length}`);
}

type Place = Pick<WatchEmailRow, "account_id" | "address">;

/** Finds the next confirmed addresses of accounts whose plan is active. */
function confirmedAfter(db: MailDatabase, after: Place) {
  return db
    .selectFrom("watch_email as email")
    .select(["email.account_id", "email.address", "email.position"])
    .where("email.state", "=", "confirmed")
    .where((is) =>
      is.or([
        is("email.account_id", ">", after.account_id),
        is.and([is("email.account_id", "=", after.account_id), is("email.address", ">", after.address)]),
      ]),
    )
    .where(hasActivePlan("email.account_id"))
    .orderBy("email.account_id")
    .orderBy("email.address")
    .limit(ADDRESSES_AT_ONCE)
    .execute();
}

type Waiting = Pick<WatchEmailRow, "account_id" | "address" | "position">;

async function queueOne(parts: StoreParts, { reader }: OpenLog, email: Waiting): Promise<void> {
  const read = await reader.read(email.account_id, email.position, ENTRIES_MAX);
  await inTransaction(parts.database.db, (on) => queueRead(parts, mailsIn(on), email, read));
}

async function queueRead(
  parts: StoreParts,
  db: MailDatabase,
  { account_id: accountId, address, position }: Waiting,
  { log, entries }: LogRead,
): Promise<void> {
  const email = await lockAddress(db, accountId, address);
  if (email?.state !== "confirmed" || email.position !== position) return;
  const waiting = await waitingOf(db, email);
  const watchIds = await watchesOf(db, email);
  const now = parts.clock.now();
  const room = entries.slice(0, Math.max(WAITING_MAX - waiting, 0));
  const reached = room.length < ENTRIES_MAX && room.length === entries.length ? log.newest : room.at(-1)?.position;
  if (reached === undefined || reached <= position) return;
  await db
    .updateTable("watch_email")
    .set({ position: reached })
    .where("account_id", "=", accountId)
    .where("address", "=", address)
    .execute();
  const fresh = room.filter((entry) => watchIds.has(entry.subject) && firedAt(entry) > now - MAILED_WITHIN_MS);
  if (fresh.length === 0) return;
  await db
    .insertInto("watch_mail")
    .values(fresh.map((entry, at) => newMail(parts, email, entry, waiting === 0 && at === 0 ? now : null)))
    .execute();
}

function newMail(
  parts: StoreParts,
  { account_id, address }: WatchEmailRow,
  { subject, position }: LogEntry,
  dueAt: number | null,
): WatchMailRow {
  const expiresAt = parts.clock.now() + MAILED_WITHIN_MS;
  return pendingMail(parts, { account_id, address, watch_id: subject, position, due_at: dueAt, expires_at: expiresAt });
}

async function waitingOf(db: MailDatabase, { account_id, address }: WatchEmailRow): Promise<number> {
  const { count } = await db
    .selectFrom("watch_mail")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("account_id", "=", account_id)
    .where("address", "=", address)
    .where("state", "=", "pending")
    .where("position", "is not", null)
    .executeTakeFirstOrThrow();
  // PostgreSQL returns counts as text.
  return Number(count);
}

/** Returns the watches that send emails to the address. */
async function watchesOf(db: MailDatabase, { account_id, address }: WatchEmailRow): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("watch_recipient")
    .select("watch_id")
    .where("account_id", "=", account_id)
    .where("address", "=", address)
    .where("stopped_at", "is", null)
    .execute();
  return new Set(rows.map(({ watch_id }) => watch_id));
}

/**
 * Returns the time of a firing, epoch ms. Firings older than `MAILED_WITHIN_MS` are not mailed. They can be waiting in
 * the log if mail was switched off.
 */
function firedAt({ text }: LogEntry): number {
  const firing: WatchFiring = JSON.parse(text);
  return Date.parse(firing.firedAt);
}
