import { sql } from "kysely";
import { hasActivePlan } from "../../../../database/active-plan.js";
import type { PlannedAccount } from "../../rules/evaluation/plan-includes.js";
import type { WatchDatabase, WatchRow } from "../tables.js";

/** A watch to be evaluated, with its account's plan. */
export type DueWatch = WatchRow &
  PlannedAccount & {
    /** Null for an account of OpenID tokens, which has no row in `account`. */
    readonly plan_state: string | null;
  };

/** The kinds of pending work, and the position up to which every watch was evaluated or postponed. */
export interface Waiting {
  readonly progress: number;
  readonly hasWatches: boolean;
  readonly hasDue: boolean;
  readonly hasBehind: boolean;
}

/** Checks whether there may be work. Reads a few rows by index. */
export async function waitingWork(db: WatchDatabase, dueBefore: number): Promise<Waiting> {
  const { rows } = await sql<{
    readonly progress: number;
    readonly watches: number | boolean;
    readonly due: number | boolean;
    readonly behind: number | boolean;
  }>`
    select
      position as progress,
      exists (select 1 from watch_read) as watches,
      exists (select 1 from watch where state = 'active' and due_at <= ${dueBefore} and behind_from is null) as due,
      exists (
        select 1 from watch w
        where w.state = 'active' and w.behind_from is not null and ${hasActivePlan("w.account_id")}
      ) as behind
    from watch_progress`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the table watch_progress has no row");
  // SQLite returns booleans as numbers.
  return {
    progress: row.progress,
    hasWatches: Boolean(row.watches),
    hasDue: Boolean(row.due),
    hasBehind: Boolean(row.behind),
  };
}

/** Returns the given datasets that at least one watch reads. */
export async function watchedDatasets(db: WatchDatabase, datasets: readonly string[]): Promise<ReadonlySet<string>> {
  if (datasets.length === 0) return new Set();
  const rows = await db
    .selectFrom("watch_read")
    .select("dataset")
    .distinct()
    .where("dataset", "in", datasets)
    .execute();
  return new Set(rows.map(({ dataset }) => dataset));
}

export interface Page {
  /** The id of the last watch or account of the previous page; empty for the first page. */
  readonly after: string;
  readonly rowsMax: number;
}

/**
 * Returns the active watches that read `dataset`, are not behind, and have not been evaluated for the change at
 * `position`. Watches are in the order of their ids.
 */
export async function watchesToEvaluate(
  db: WatchDatabase,
  { dataset, position }: { readonly dataset: string; readonly position: number },
  { after, rowsMax }: Page,
): Promise<readonly DueWatch[]> {
  return db
    .selectFrom("watch_read as reads")
    .innerJoin("watch", "watch.watch_id", "reads.watch_id")
    .leftJoin("account", "account.id", "watch.account_id")
    .selectAll("watch")
    .select(["account.plan", "account.plan_state"])
    .where("reads.dataset", "=", dataset)
    .where("reads.watch_id", ">", after)
    .where("watch.state", "=", "active")
    .where("watch.behind_from", "is", null)
    .where("watch.evaluated_position", "<", position)
    .orderBy("reads.watch_id")
    .limit(rowsMax)
    .execute();
}

/** Finds the active watches whose quiet period has ended and that are not behind, longest-waiting first. */
export async function watchesToWake(
  db: WatchDatabase,
  dueBefore: number,
  rowsMax: number,
): Promise<readonly DueWatch[]> {
  return db
    .selectFrom("watch")
    .leftJoin("account", "account.id", "watch.account_id")
    .selectAll("watch")
    .select(["account.plan", "account.plan_state"])
    .where("watch.state", "=", "active")
    .where("watch.behind_from", "is", null)
    .where("watch.due_at", "<=", dueBefore)
    .orderBy("watch.due_at")
    .orderBy("watch.watch_id")
    .limit(rowsMax)
    .execute();
}

/**
 * Returns a page of the accounts with at least one active watch that is behind, in the order of the account ids.
 * Accounts whose plan is not active are left out.
 */
export async function accountsBehind(db: WatchDatabase, { after, rowsMax }: Page): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("watch")
    .select("watch.account_id")
    .distinct()
    .where("watch.state", "=", "active")
    .where("watch.behind_from", "is not", null)
    .where("watch.account_id", ">", after)
    .where(hasActivePlan("watch.account_id"))
    .orderBy("watch.account_id")
    .limit(rowsMax)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

/** Finds the watches of an account that have been behind longest. */
export async function watchesBehind(
  db: WatchDatabase,
  accountId: string,
  { without, rowsMax }: { readonly without: readonly string[]; readonly rowsMax: number },
): Promise<readonly DueWatch[]> {
  return db
    .selectFrom("watch")
    .leftJoin("account", "account.id", "watch.account_id")
    .selectAll("watch")
    .select(["account.plan", "account.plan_state"])
    .where("watch.account_id", "=", accountId)
    .where("watch.state", "=", "active")
    .where("watch.behind_from", "is not", null)
    .$if(without.length > 0, (query) => query.where("watch.watch_id", "not in", without))
    .orderBy("watch.behind_from")
    .orderBy("watch.watch_id")
    .limit(rowsMax)
    .execute();
}

/** Postpones watches, and records the position from which they may have changes to evaluate. */
export async function leaveBehind(db: WatchDatabase, watchIds: readonly string[], position: number): Promise<void> {
  if (watchIds.length === 0) return;
  await db
    .updateTable("watch")
    .set({ behind_from: position })
    .where("watch_id", "in", watchIds)
    .where("state", "=", "active")
    .where("behind_from", "is", null)
    .execute();
}

/** Marks every active watch as behind. Called if changes have left the log before they were evaluated. */
export async function leaveAllBehind(db: WatchDatabase, position: number): Promise<void> {
  await db
    .updateTable("watch")
    .set({ behind_from: position })
    .where("state", "=", "active")
    .where("behind_from", "is", null)
    .execute();
}
