import type { BodyStore } from "../../database/bodies.js";
import type { OpenDatabase } from "../../database/open-database.js";
import { DAY_MS } from "../../kit/clock.js";

/** The amount of history to keep. */
export interface RetentionPolicy {
  /** All generations up to this age are kept, within `bodyBytesMax`. */
  readonly wholeMs: number;
  /**
   * By dataset: a lower limit than `wholeMs`, for datasets that are built very often. A limit above `wholeMs` has no
   * effect.
   */
  readonly wholeMsMaxOf?: ReadonlyMap<string, number>;
  /** Of the older generations, the last one of each UTC day is kept until this age. */
  readonly dailyMs: number;
  /**
   * Limit on the compressed bytes of all bodies; the oldest generations are removed first. The newest generation of a
   * dataset always stays.
   */
  readonly bodyBytesMax: number;
}

interface Kept {
  readonly dataset: string;
  readonly generation: number;
  readonly content_hash: string;
  readonly built_at: number;
}

/** Age after which an unreferenced body is an orphan; a younger one may belong to a publish in progress. */
const ORPHAN_AGE_MS = DAY_MS;

/**
 * Removes expired generations and recorded runs of `datasets`, and returns the number of removed generations. Also
 * removes expired lines of the run log of all datasets, and the bodies that are no longer needed. The caller holds the
 * build lease of each of `datasets`, so that none of them is being built.
 */
export async function applyRetention(
  { db }: OpenDatabase,
  bodies: BodyStore,
  datasets: readonly string[],
  policy: RetentionPolicy,
  now: number,
): Promise<number> {
  const columns = ["dataset", "generation", "content_hash", "built_at"] as const;
  const all: readonly Kept[] = await db.selectFrom("snapshot").select(columns).execute();
  const stock = await stockOf(bodies);
  const doomed = generationsToRemove(all, policy, now, stock).filter((row) => datasets.includes(row.dataset));
  for (const { dataset, generation } of doomed) {
    await db.deleteFrom("snapshot").where("dataset", "=", dataset).where("generation", "=", generation).execute();
  }
  await removeRuns(db, policy, now);
  await thinRunHistory(db, datasets, policy, now);
  const released = new Set(doomed.flatMap((row) => bodiesOf(row, stock)));
  await removeBodies(db, bodies, stock.bases, released, now);
  return doomed.length;
}

/** The stored bodies: their sizes, and the bodies that each builds on. */
interface Stock {
  readonly bytes: ReadonlyMap<string, number>;
  readonly bases: ReadonlyMap<string, readonly string[]>;
}

async function stockOf(bodies: BodyStore): Promise<Stock> {
  const [listed, bases] = await Promise.all([bodies.list(), bodies.bases()]);
  return { bytes: new Map(listed.map(({ contentHash, bytes }) => [contentHash, bytes])), bases };
}

/** Returns the bodies that a generation needs. */
function bodiesOf(
  { content_hash: own }: Pick<Kept, "content_hash">,
  { bases }: Pick<Stock, "bases">,
): readonly string[] {
  return [own, ...(bases.get(own) ?? [])];
}

/** Removes expired lines of the run log. Datasets that are built very often have shorter limits. */
async function removeRuns(db: OpenDatabase["db"], policy: RetentionPolicy, now: number): Promise<void> {
  const before = (ms: number) => db.deleteFrom("source_run").where("fetched_at", "<", now - ms);
  await before(policy.wholeMs).execute();
  for (const [dataset, wholeMs] of policy.wholeMsMaxOf ?? []) {
    await before(wholeMs).where("dataset", "=", dataset).execute();
  }
}

/** Maximum number of recorded runs that one statement removes. */
const REMOVED_AT_ONCE = 500;

/**
 * Removes the recorded runs whose generation is gone. Keeps all other runs up to the age `wholeMs`, or up to the lower
 * limit of the dataset. Of the older runs, keeps only the last one of each UTC day, up to the age `dailyMs`. The newest
 * run of a dataset always stays.
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
  /** Equal to `generation` if that generation is still stored, otherwise null. */
  readonly kept: number | null;
}

/** Selects the runs to remove and returns their numbers. `runs` are all runs of one dataset, in order. */
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

/**
 * Removes each body that no stored generation needs, if the body is an orphan or in `released`. `released` holds the
 * bodies of the generations that were just removed. Also forgets the recorded bases of bodies that are not stored.
 *
 * `bases` may lack bodies that were stored after it was read. Such a new body builds only on bodies of kept generations
 * and on other new bodies, and neither kind is removed here.
 */
async function removeBodies(
  db: OpenDatabase["db"],
  bodies: BodyStore,
  bases: Stock["bases"],
  released: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const named = await db.selectFrom("snapshot").select("content_hash").distinct().execute();
  const inUse = new Set(named.flatMap((row) => bodiesOf(row, { bases })));
  const orphanedBefore = now - ORPHAN_AGE_MS;
  const listed = await bodies.list();
  for (const { contentHash, storedAt } of listed) {
    if (inUse.has(contentHash)) continue;
    if (released.has(contentHash) || storedAt < orphanedBefore) await bodies.remove(contentHash);
  }
  const stored = new Set(listed.map(({ contentHash }) => contentHash));
  for (const contentHash of bases.keys()) {
    if (!stored.has(contentHash)) await bodies.forgetBases(contentHash, orphanedBefore);
  }
}

/** Selects the generations that the policy removes, oldest first. */
export function generationsToRemove(
  all: readonly Kept[],
  policy: RetentionPolicy,
  now: number,
  stock: Stock,
): readonly Kept[] {
  const oldestFirst = [...all].sort((a, b) => a.built_at - b.built_at || a.generation - b.generation);
  // Sorted by number, not by time, because a clock can step back, and the store serves the generation with the highest
  // number.
  const byGeneration = [...all].sort((a, b) => a.generation - b.generation);
  const newest = lastOf(byGeneration, (row) => row.dataset);
  const lastOfDay = lastOf(oldestFirst, (row) => `${row.dataset} ${Math.floor(row.built_at / DAY_MS)}`);
  const isKept = (row: Kept): boolean =>
    newest.has(row) ||
    row.built_at >= now - wholeMsOf(policy, row.dataset) ||
    (lastOfDay.has(row) && row.built_at >= now - policy.dailyMs);
  const kept = oldestFirst.filter(isKept);
  const overCap = beyondCap(kept, newest, policy.bodyBytesMax, stock);
  return oldestFirst.filter((row) => !isKept(row) || overCap.has(row));
}

function lastOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlySet<Row> {
  return new Set(new Map(rows.map((row) => [keyOf(row), row])).values());
}

/**
 * Selects the oldest generations, as many as must be removed so that the bodies of the others take at most `bytesMax`.
 * Never selects a generation in `newest`. The size of a shared body is added only once.
 */
function beyondCap(
  kept: readonly Kept[],
  newest: ReadonlySet<Kept>,
  bytesMax: number,
  stock: Stock,
): ReadonlySet<Kept> {
  const users = new Map<string, number>();
  // A body that is gone takes no space.
  const sizeOf = (body: string): number => stock.bytes.get(body) ?? 0;
  let bytes = 0;
  for (const body of kept.flatMap((row) => bodiesOf(row, stock))) {
    const before = users.get(body) ?? 0;
    if (before === 0) bytes += sizeOf(body);
    users.set(body, before + 1);
  }
  const removed = new Set<Kept>();
  for (const row of kept) {
    if (bytes <= bytesMax) break;
    if (newest.has(row)) continue;
    removed.add(row);
    for (const body of bodiesOf(row, stock)) {
      const left = (users.get(body) ?? 0) - 1;
      users.set(body, left);
      if (left === 0) bytes -= sizeOf(body);
    }
  }
  return removed;
}
