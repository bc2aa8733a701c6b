import { type SqlBool, sql } from "kysely";
import type { StoreParts } from "../../../../database/service-store.js";
import { DAY_MS } from "../../../../kit/clock.js";
import { isNamedByWatch } from "./addresses.js";
import { type MailDatabase, mailsIn } from "./tables.js";

const SENT_KEPT_MS = 7 * DAY_MS;
const DEAD_KEPT_MS = 30 * DAY_MS;
/**
 * Time after which an address that no watch names is forgotten. If a watch names a forgotten address again, the address
 * must be confirmed again.
 */
const UNUSED_KEPT_MS = 30 * DAY_MS;
/** Maximum number of rows removed by one statement, so that no write waits long. */
const ROWS_MAX = 1_000;

/**
 * Removes emails a week after they were sent or 30 days after they were abandoned. Forgets an address 30 days after the
 * last watch has stopped naming it.
 */
export async function thinMails({ database, clock }: Pick<StoreParts, "database" | "clock">): Promise<void> {
  const db = mailsIn(database.db);
  const now = clock.now();
  while ((await removeEnded(db, "sent", now - SENT_KEPT_MS)) === ROWS_MAX);
  while ((await removeEnded(db, "dead", now - DEAD_KEPT_MS)) === ROWS_MAX);
  const before = now - UNUSED_KEPT_MS;
  await noteUses(db, now);
  await db
    .deleteFrom("watch_email")
    .where("unused_since", "<", before)
    .where("asked_at", "<", before)
    .where(({ not }) => not(isNamed))
    .execute();
  await removeForgotten(db);
  await db.deleteFrom("watch_email_slot").where("asked_at", "<", before).execute();
  await db.deleteFrom("watch_email_account").where("day", "<", before).execute();
}

/** True for a row of `watch_email` whose address a watch names. */
const isNamed = sql<SqlBool>`exists (
  select 1 from watch_recipient as recipient
  where recipient.account_id = watch_email.account_id and recipient.address = watch_email.address
    and ${isNamedByWatch}
)`;

async function noteUses(db: MailDatabase, now: number): Promise<void> {
  const emails = db.updateTable("watch_email");
  await emails.set({ unused_since: null }).where("unused_since", "is not", null).where(isNamed).execute();
  await emails
    .set({ unused_since: now })
    .where("unused_since", "is", null)
    .where(({ not }) => not(isNamed))
    .execute();
}

/**
 * Removes the former recipients whose address is forgotten. These addresses get no emails until they are confirmed
 * again. Stopped recipients are kept for as long as their watch.
 */
async function removeForgotten(db: MailDatabase): Promise<void> {
  await db
    .deleteFrom("watch_former_recipient as former")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("watch_email as email")
            .select("email.address")
            .whereRef("email.account_id", "=", "former.account_id")
            .whereRef("email.address", "=", "former.address"),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("watch_recipient as recipient")
            .select("recipient.address")
            .whereRef("recipient.watch_id", "=", "former.watch_id")
            .whereRef("recipient.address", "=", "former.address")
            .where("recipient.stopped_at", "is not", null),
        ),
      ),
    )
    .execute();
}

async function removeEnded(db: MailDatabase, state: string, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("watch_mail")
    .where("mail_id", "in", (ended) =>
      ended
        .selectFrom("watch_mail")
        .select("mail_id")
        .where("state", "=", state)
        .where("ended_at", "<", before)
        .limit(ROWS_MAX),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Counts confirmed addresses, emails waiting to be sent, and dead emails. */
export async function mailFigures({
  database,
}: Pick<StoreParts, "database">): Promise<Readonly<Record<string, number>>> {
  const db = mailsIn(database.db);
  const { addresses } = await db
    .selectFrom("watch_email")
    .select(({ fn }) => fn.countAll<number | string>().as("addresses"))
    .where("state", "=", "confirmed")
    .executeTakeFirstOrThrow();
  const mails = await db
    .selectFrom("watch_mail")
    .select(({ fn }) => ["state", fn.countAll<number | string>().as("count")])
    .where("state", "in", ["pending", "dead"])
    .groupBy("state")
    .execute();
  // PostgreSQL returns counts as text.
  const countOf = (state: string): number => Number(mails.find((row) => row.state === state)?.count ?? 0);
  return { mailAddresses: Number(addresses), mailsPending: countOf("pending"), mailsDead: countOf("dead") };
}
