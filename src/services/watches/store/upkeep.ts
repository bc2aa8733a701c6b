import { sql } from "kysely";
import type { StoreParts } from "../../../database/service-store.js";
import { inTransaction } from "../../../database/transaction.js";
import { DAY_MS } from "../../../kit/clock.js";
import { type WatchDatabase, watchesIn } from "./tables.js";

const FIRINGS_KEPT_MS = 90 * DAY_MS;
/** Maximum number of rows removed in one transaction, so that no write waits long. */
export const ROWS_MAX = 1_000;
const ACCOUNTS_AT_ONCE = 500;

/** Removes firings 90 days after they were stored. */
export async function thinFirings({ database, clock }: Pick<StoreParts, "database" | "clock">): Promise<void> {
  const before = clock.now() - FIRINGS_KEPT_MS;
  for (let after = ""; ; ) {
    const accounts = await watchesIn(database.db)
      .selectFrom("watch_account")
      .select("account_id")
      .where("account_id", ">", after)
      .whereRef("oldest_position", "<=", "position")
      .orderBy("account_id")
      .limit(ACCOUNTS_AT_ONCE)
      .execute();
    for (const { account_id } of accounts) {
      const thinOnce = (): Promise<number> =>
        inTransaction(database.db, (on) => removeOldest(watchesIn(on), account_id, before));
      while ((await thinOnce()) === ROWS_MAX);
    }
    const last = accounts.at(-1);
    if (!last || accounts.length < ACCOUNTS_AT_ONCE) return;
    after = last.account_id;
  }
}

/** Removes the oldest firings of an account, up to the first one to keep, and moves `oldest_position` past them. */
async function removeOldest(db: WatchDatabase, accountId: string, before: number): Promise<number> {
  // The update locks the log of the account until the transaction ends.
  await db
    .updateTable("watch_account")
    .set({ account_id: accountId })
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom("watch_firing")
    .select(["position", "stored_at"])
    .where("account_id", "=", accountId)
    .orderBy("position")
    .limit(ROWS_MAX)
    .execute();
  const kept = rows.findIndex(({ stored_at }) => stored_at >= before);
  const old = kept === -1 ? rows : rows.slice(0, kept);
  const last = old.at(-1);
  if (!last) return 0;
  await db
    .deleteFrom("watch_firing")
    .where("account_id", "=", accountId)
    .where("position", "<=", last.position)
    .execute();
  await db
    .updateTable("watch_account")
    .set({ oldest_position: last.position + 1 })
    .where("account_id", "=", accountId)
    .execute();
  return old.length;
}

/**
 * Returns the number of watches, and how many of them are paused, disabled, failing or behind. Also returns the number
 * of firings in all logs. `evaluatedPosition` is the position in the log of datasets up to which every watch was
 * evaluated or postponed.
 */
export async function watchFigures({
  database,
}: Pick<StoreParts, "database">): Promise<Readonly<Record<string, number>>> {
  const db = watchesIn(database.db);
  type Count = number | string | null;
  const accounts = await db
    .selectFrom("watch_account")
    .select([sql<Count>`sum(watch_count)`.as("watches"), sql<Count>`sum(position - oldest_position + 1)`.as("firings")])
    .executeTakeFirstOrThrow();
  // Each count reads one of the partial indexes.
  const { rows } = await sql<Record<"paused" | "disabled" | "failing" | "behind", Count>>`
    select
      (select count(*) from watch where state = 'paused') as paused,
      (select count(*) from watch where state = 'disabled') as disabled,
      (select count(*) from watch where failure_count > 0) as failing,
      (select count(*) from watch where state = 'active' and behind_from is not null) as behind`.execute(db);
  const progress = await db.selectFrom("watch_progress").select("position").executeTakeFirstOrThrow();
  // PostgreSQL returns sums and counts as text.
  return {
    watches: Number(accounts.watches ?? 0),
    watchesPaused: Number(rows[0]?.paused ?? 0),
    watchesDisabled: Number(rows[0]?.disabled ?? 0),
    watchesFailing: Number(rows[0]?.failing ?? 0),
    watchesBehind: Number(rows[0]?.behind ?? 0),
    firingsInLog: Number(accounts.firings ?? 0),
    evaluatedPosition: progress.position,
  };
}
