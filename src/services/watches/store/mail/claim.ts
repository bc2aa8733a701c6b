import { hasActivePlan } from "../../../../database/active-plan.js";
import { MINUTE_MS } from "../../../../kit/clock.js";
import type { MailDatabase, WatchMailRow } from "./tables.js";

/**
 * Duration of a lease, which reserves an email for one round of sending on one node. It is longer than any attempt to
 * send. If a process dies, its emails can be leased again after this time.
 */
export const LEASE_MS = 2 * MINUTE_MS;

export type ClaimedMail = Pick<
  WatchMailRow,
  "mail_id" | "account_id" | "address" | "watch_id" | "position" | "lease" | "created_at"
>;

/**
 * Leases the longest-waiting due emails of accounts whose plan is active. Of the pending emails about firings, only the
 * earliest one of each account and address is due.
 */
export async function claimMails(
  db: MailDatabase,
  { lease, now, mailsMax }: { readonly lease: string; readonly now: number; readonly mailsMax: number },
): Promise<readonly ClaimedMail[]> {
  return (
    db
      .updateTable("watch_mail")
      .set({ lease, leased_until: now + LEASE_MS })
      .where("mail_id", "in", (due) =>
        due
          .selectFrom("watch_mail")
          .select("mail_id")
          .where("state", "=", "pending")
          .where("due_at", "<=", now)
          .where(hasActivePlan("watch_mail.account_id"))
          .where((is) => is.or([is("leased_until", "is", null), is("leased_until", "<=", now)]))
          .orderBy("due_at")
          .orderBy("mail_id")
          .limit(mailsMax),
      )
      // These conditions repeat those of the subquery. If another node has just leased a row, PostgreSQL rechecks the
      // row only against the conditions of the outer statement.
      .where("state", "=", "pending")
      .where("due_at", "<=", now)
      .where((is) => is.or([is("leased_until", "is", null), is("leased_until", "<=", now)]))
      .returning(["mail_id", "account_id", "address", "watch_id", "position", "lease", "created_at"])
      .execute()
  );
}

/** Releases the leases of unsent emails, so that another node can send them immediately. */
export async function releaseMails(db: MailDatabase, lease: string): Promise<void> {
  await db
    .updateTable("watch_mail")
    .set({ lease: null, leased_until: null })
    .where("lease", "=", lease)
    .where("state", "=", "pending")
    .execute();
}
