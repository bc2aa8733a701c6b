import type { BodyStore } from "../database/bodies.js";
import type { OpenDatabase } from "../database/open-database.js";
import { DAY_MS } from "../kit/clock.js";

/** The amount of history to keep. */
export interface RetentionPolicy {
  /** Keeps every generation younger than this. */
  readonly wholeMs: number;
  /** A shorter limit for datasets that are built very often. */
  readonly wholeMsMaxOf?: ReadonlyMap<string, number>;
  /** After that, keeps the last generation of each UTC day up to this age. */
  readonly dailyMs: number;
  /**
   * Limit of the compressed bytes of all bodies; the oldest generations are removed first. The newest of a dataset
   * always stays.
   */
  readonly bodyBytesMax: number;
}

interface Kept {
  readonly dataset: string;
  readonly generation: number;
  readonly content_hash: string;
  readonly body_bytes: number;
  readonly built_at: number;
}

/** Age after which an unreferenced body is an orphan; a younger one may belong to a publish in progress. */
const ORPHAN_AGE_MS = DAY_MS;

/**
 * Removes expired generations, bodies and run-log lines, and returns the number of removed generations. The caller
 * holds the leases of `datasets`, so that none of them is being built.
 */
export async function applyRetention(
  { db }: OpenDatabase,
  bodies: BodyStore,
  datasets: readonly string[],
  policy: RetentionPolicy,
  now: number,
): Promise<number> {
  const columns = ["dataset", "generation", "content_hash", "body_bytes", "built_at"] as const;
  const all: readonly Kept[] = await db.selectFrom("snapshot").select(columns).execute();
  const doomed = generationsToRemove(all, policy, now).filter((row) => datasets.includes(row.dataset));
  for (const { dataset, generation } of doomed) {
    await db.deleteFrom("snapshot").where("dataset", "=", dataset).where("generation", "=", generation).execute();
  }
  await removeRuns(db, policy, now);
  await thinRunHistory(db, datasets, policy, now);
  await removeBodies(db, bodies, new Set(doomed.map((row) => row.content_hash)), now);
  return doomed.length;
}

/** The log of a dataset with a shorter history is shortened with it. */
async function removeRuns(db: OpenDatabase["db"], policy: RetentionPolicy, now: number): Promise<void> {
  const before = (ms: number) => db.deleteFrom("source_run").where("fetched_at", "<", now - ms);
  await before(policy.wholeMs).execute();
  for (const [dataset, wholeMs] of policy.wholeMsMaxOf ?? []) {
    await before(wholeMs).where("dataset", "=", dataset).execute();
  }
}

/** Most recorded runs that one statement removes. */
const REMOVED_AT_ONCE = 500;

/**
 * Removes recorded runs with the generations that they left: those whose generation is gone, and beyond the time for
 * which every generation is kept all but the last of each UTC day. The newest run of a dataset always stays.
 */
async function thinRunHistory(
  db: OpenDatabase["db"],
  datasets: readonly string[],
  policy: RetentionPolicy,
  now: number,
): Promise<void> {
  for (const dataset of datasets) {
    const rows = await db
      .selectFrom("dataset_run")
      .leftJoin("snapshot", (join) =>
        join
          .onRef("snapshot.dataset", "=", "dataset_run.dataset")
          .onRef("snapshot.generation", "=", "dataset_run.generation"),
      )
      .select(["run", "at", "dataset_run.generation as generation", "snapshot.generation as kept"])
      .where("dataset_run.dataset", "=", dataset)
      .orderBy("run")
      .execute();
    const removed = runsToRemove(rows, wholeMsOf(policy, dataset), policy.dailyMs, now);
    for (let from = 0; from < removed.length; from += REMOVED_AT_ONCE) {
      const runs = removed.slice(from, from + REMOVED_AT_ONCE);
      await db.deleteFrom("dataset_run").where("dataset", "=", dataset).where("run", "in", runs).execute();
    }
  }
}

interface KeptRun {
  readonly run: number;
  readonly at: number;
  /** 0 before the first generation. */
  readonly generation: number;
  /** The same number if the generation is still stored. */
  readonly kept: number | null;
}

/** The numbers of the runs of one dataset that retention removes. `runs` are in their order. */
export function runsToRemove(
  runs: readonly KeptRun[],
  wholeMs: number,
  dailyMs: number,
  now: number,
): readonly number[] {
  const newest = runs.at(-1);
  const readable = new Set(runs.filter(({ generation, kept }) => generation === 0 || kept !== null));
  const lastOfDay = lastOf([...readable], ({ at }) => String(Math.floor(at / DAY_MS)));
  const isKept = (run: KeptRun): boolean =>
    run === newest ||
    (readable.has(run) && (run.at >= now - wholeMs || (lastOfDay.has(run) && run.at >= now - dailyMs)));
  return runs.filter((run) => !isKept(run)).map(({ run }) => run);
}

function wholeMsOf({ wholeMs, wholeMsMaxOf }: RetentionPolicy, dataset: string): number {
  return Math.min(wholeMs, wholeMsMaxOf?.get(dataset) ?? wholeMs);
}

async function removeBodies(
  db: OpenDatabase["db"],
  bodies: BodyStore,
  released: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const named = await db.selectFrom("snapshot").select("content_hash").distinct().execute();
  const inUse = new Set(named.map((row) => row.content_hash));
  for (const { contentHash, storedAt } of await bodies.list()) {
    if (inUse.has(contentHash)) continue;
    if (released.has(contentHash) || storedAt < now - ORPHAN_AGE_MS) await bodies.remove(contentHash);
  }
}

/** The generations that the policy removes, oldest first. */
export function generationsToRemove(all: readonly Kept[], policy: RetentionPolicy, now: number): readonly Kept[] {
  const oldestFirst = [...all].sort((a, b) => a.built_at - b.built_at || a.generation - b.generation);
  // By number, not by time: clocks step back, and the store serves the highest generation.
  const byGeneration = [...all].sort((a, b) => a.generation - b.generation);
  const newest = lastOf(byGeneration, (row) => row.dataset);
  const lastOfDay = lastOf(oldestFirst, (row) => `${row.dataset} ${Math.floor(row.built_at / DAY_MS)}`);
  const isKept = (row: Kept): boolean =>
    newest.has(row) ||
    row.built_at >= now - wholeMsOf(policy, row.dataset) ||
    (lastOfDay.has(row) && row.built_at >= now - policy.dailyMs);
  const kept = oldestFirst.filter(isKept);
  const overCap = beyondCap(kept, newest, policy.bodyBytesMax);
  return oldestFirst.filter((row) => !isKept(row) || overCap.has(row));
}

function lastOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlySet<Row> {
  return new Set(new Map(rows.map((row) => [keyOf(row), row])).values());
}

function beyondCap(kept: readonly Kept[], newest: ReadonlySet<Kept>, bytesMax: number): ReadonlySet<Kept> {
  let bytes = kept.reduce((sum, row) => sum + row.body_bytes, 0);
  const removed = new Set<Kept>();
  for (const row of kept) {
    if (bytes <= bytesMax) break;
    if (newest.has(row)) continue;
    removed.add(row);
    bytes -= row.body_bytes;
  }
  return removed;
}
