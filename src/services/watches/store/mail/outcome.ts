import type { MailOutcome } from "../../../../contract/mail.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { inTransaction } from "../../../../database/transaction.js";
import { randomFrom } from "../../../../kit/random.js";
import { nextAttemptAt } from "../../../../kit/retry-schedule.js";
import { lockAddress } from "./addresses.js";
import type { ClaimedMail } from "./claim.js";
import { type MailDatabase, mailsIn, type WatchEmailRow, type WatchMailRow } from "./tables.js";

/** `unwanted`: the email should no longer be sent. */
export type MailEnd = MailOutcome | { readonly kind: "unwanted"; readonly reason: string };

/** Stores the outcome of an attempt in one transaction. */
export async function storeMailOutcome(parts: StoreParts, claimed: ClaimedMail, end: MailEnd): Promise<void> {
  await inTransaction(parts.database.db, async (on) => {
    const db = mailsIn(on);
    const email = await lockAddress(db, claimed.account_id, claimed.address);
    const mail = await db
      .selectFrom("watch_mail")
      .selectAll()
      .where("mail_id", "=", claimed.mail_id)
      .executeTakeFirst();
    // A success is stored even if the lease has passed to another node. A failure is not, because that node may be
    // sending the email.
    if (mail?.state !== "pending" || (end.kind !== "accepted" && mail.lease !== claimed.lease)) return;
    await settle(parts, db, mail, end);
    // The address has no row if it was forgotten in the meantime.
    if (end.kind === "address-refused" && email) await refuseAddress(parts, db, email, end.reason);
    else await makeNextDue(db, mail, parts.clock.now());
  });
}

async function settle(parts: StoreParts, db: MailDatabase, mail: WatchMailRow, end: MailEnd): Promise<void> {
  const now = parts.clock.now();
  const attempts = mail.attempt_count + (end.kind === "unwanted" ? 0 : 1);
  const dueAt =
    end.kind === "failed"
      ? nextAttemptAt({ attempts, now, expiresAt: mail.expires_at, retryAt: undefined }, randomFrom(parts.randomBytes))
      : undefined;
  await db
    .updateTable("watch_mail")
    .set({
      state: end.kind === "accepted" ? "sent" : dueAt === undefined ? "dead" : "pending",
      due_at: dueAt ?? null,
      attempt_count: attempts,
      last_error: end.kind === "accepted" ? null : end.reason,
      lease: null,
      leased_until: null,
      ended_at: dueAt === undefined ? now : null,
    })
    .where("mail_id", "=", mail.mail_id)
    .execute();
}

/**
 * Sets `due_at` of the earliest pending email to this address that is about a firing, unless it is already set. The
 * caller must have locked the address.
 */
async function makeNextDue(
  db: MailDatabase,
  { account_id, address }: Pick<WatchMailRow, "account_id" | "address">,
  now: number,
): Promise<void> {
  const first = await db
    .selectFrom("watch_mail")
    .select(["mail_id", "due_at"])
    .where("account_id", "=", account_id)
    .where("address", "=", address)
    .where("state", "=", "pending")
    .where("position", "is not", null)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
  if (!first || first.due_at !== null) return;
  await db.updateTable("watch_mail").set({ due_at: now }).where("mail_id", "=", first.mail_id).execute();
}

/**
 * Stops all emails of an account to an address that the mail server rejects permanently. The address gets emails about
 * the account's firings again only after a watch has named the address again and the recipient has confirmed it again.
 */
async function refuseAddress(
  { clock }: StoreParts,
  db: MailDatabase,
  { account_id, address }: WatchEmailRow,
  reason: string,
): Promise<void> {
  const now = clock.now();
  await db
    .updateTable("watch_email")
    .set({ state: "refused", state_reason: reason, state_changed_at: now })
    .where("account_id", "=", account_id)
    .where("address", "=", address)
    .execute();
  await db
    .updateTable("watch_mail")
    .set({ state: "dead", due_at: null, ended_at: now, last_error: reason, lease: null, leased_until: null })
    .where("account_id", "=", account_id)
    .where("address", "=", address)
    .where("state", "=", "pending")
    .execute();
}

/** Maximum number of emails that one round abandons. */
const EXPIRED_MAX = 200;

/** Abandons emails that were not accepted in time, even those never tried because an earlier email failed. */
export async function expireMails(parts: StoreParts, signal: AbortSignal): Promise<void> {
  const now = parts.clock.now();
  const expired = await mailsIn(parts.database.db)
    .selectFrom("watch_mail")
    .select(["mail_id", "account_id", "address"])
    .where("state", "=", "pending")
    .where("expires_at", "<=", now)
    .where((is) => is.or([is("leased_until", "is", null), is("leased_until", "<=", now)]))
    .orderBy("expires_at")
    .limit(EXPIRED_MAX)
    .execute();
  for (const { mail_id, account_id, address } of expired) {
    signal.throwIfAborted();
    await inTransaction(parts.database.db, async (on) => {
      const db = mailsIn(on);
      await lockAddress(db, account_id, address);
      await db
        .updateTable("watch_mail")
        .set({ state: "dead", due_at: null, ended_at: now, lease: null, leased_until: null })
        .where("mail_id", "=", mail_id)
        .where("state", "=", "pending")
        .where((is) => is.or([is("leased_until", "is", null), is("leased_until", "<=", now)]))
        .execute();
      await makeNextDue(db, { account_id, address }, now);
    });
  }
}
