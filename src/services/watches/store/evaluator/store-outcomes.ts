import { type RawBuilder, sql } from "kysely";
import { leases } from "../../../../database/leases.js";
import type { StoreParts } from "../../../../database/service-store.js";
import { inTransaction } from "../../../../database/transaction.js";
import { SECOND_MS } from "../../../../kit/clock.js";
import type { WatchMemory } from "../../rules/watch-step.js";
import { insertFirings, type UnstoredFiring } from "../insert-firings.js";
import { type WatchDatabase, type WatchRow, watchesIn } from "../tables.js";

const LEASE = "watches";
/**
 * Duration of the lease. If the evaluator dies, a node on another machine can take over after at most this time, and a
 * node on the same machine immediately.
 */
export const LEASE_MS = 30 * SECOND_MS;

/** A state in which a watch is not evaluated, and the reason why the service put the watch in that state. */
export interface Ending {
  readonly state: "disabled" | "paused";
  /** A full sentence. */
  readonly reason: string;
}

/** The result of evaluating a watch at one or several moments. */
export interface Outcome {
  readonly row: Pick<WatchRow, "watch_id" | "account_id" | "revision">;
  readonly memory: WatchMemory;
  readonly firings: readonly UnstoredFiring[];
  /** Time of the last firing, epoch ms; undefined if there is no firing. */
  readonly firedAt: number | undefined;
  /** The state that stops the evaluation of the watch; undefined if the watch stays active. */
  readonly ending: Ending | undefined;
  /** True once every change up to the position in `watch_progress` has been evaluated. */
  readonly isUpToDate: boolean;
}

/** The right to evaluate watches. One node at a time has it, as a lease in the database. */
export interface Tenure {
  /** Returns false if another node is evaluating. */
  take(): Promise<boolean>;
  /**
   * Runs work in a transaction that ends before another node can take over. Throws `TenureLost` if another node had
   * already taken over before the transaction.
   */
  transaction<T>(work: (db: WatchDatabase) => Promise<T>): Promise<T>;
}

/** Thrown when another node has taken over the evaluation. */
export class TenureLost extends Error {
  override readonly name = "TenureLost";
}

/** Takes and renews the lease of the one node that evaluates. */
export function evaluatorTenure({ database, clock }: Pick<StoreParts, "database" | "clock">, holder: string): Tenure {
  return {
    take: () => leases(database, clock).acquire(LEASE, holder, LEASE_MS),
    transaction: (work) =>
      inTransaction(database.db, async (on) => {
        // Renewed inside the transaction, so that no other node can take the lease before the transaction ends.
        if (!(await leases({ ...database, db: on }, clock).acquire(LEASE, holder, LEASE_MS))) throw new TenureLost();
        return work(watchesIn(on));
      }),
  };
}

/**
 * Stores the memories and firings of several watches. Returns the outcomes that were stored. If a watch was changed,
 * paused or deleted after its row was read, its memory stays unchanged and its firings are dropped.
 */
export async function storeOutcomes(
  db: WatchDatabase,
  outcomes: readonly Outcome[],
  { now, randomBytes }: { readonly now: number; readonly randomBytes: StoreParts["randomBytes"] },
): Promise<readonly Outcome[]> {
  const stored: Outcome[] = [];
  // The sort is stable: several outcomes of one watch keep their order.
  for (const outcome of outcomes.toSorted((a, b) => compare(a.row.watch_id, b.row.watch_id))) {
    if (await storeMemory(db, outcome, now)) stored.push(outcome);
  }
  const firings = stored.flatMap((outcome) => outcome.firings);
  await insertFirings(db, firings, { now, randomBytes });
  return stored;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

async function storeMemory(db: WatchDatabase, outcome: Outcome, now: number): Promise<boolean> {
  const { row, memory, firings, firedAt, ending, isUpToDate } = outcome;
  // Plain SQL, because building thousands of queries would take longer than running them.
  const changes: RawBuilder<unknown>[] = [
    sql`memory = ${JSON.stringify(memory)}`,
    sql`revision = revision + 1`,
    sql`evaluated_position = ${memory.evaluatedPosition}`,
    sql`due_at = ${memory.quietUntil}`,
    sql`failure_count = ${memory.failuresInRow}`,
    ...(isUpToDate ? [sql`behind_from = null`] : []),
    // A resumed watch continues with the first change that it was not evaluated for.
    ...(ending?.state === "paused"
      ? [sql`behind_from = coalesce(behind_from, (select position + 1 from watch_progress))`]
      : []),
    ...(firedAt === undefined
      ? []
      : [sql`firing_count = firing_count + ${firings.length}, last_fired_at = ${firedAt}`]),
    ...(ending === undefined
      ? []
      : [sql`state = ${ending.state}, state_reason = ${ending.reason}, updated_at = ${now}`]),
  ];
  const { rows } = await sql`
    update watch set ${sql.join(changes)}
    where watch_id = ${row.watch_id} and revision = ${row.revision} and state = 'active'
    returning watch_id`.execute(db);
  return rows.length > 0;
}
