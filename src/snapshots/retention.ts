import type { BodyStore } from "../database/bodies.js";
import type { OpenDatabase } from "../database/open.js";
import { DAY_MS } from "../kit/clock.js";

/** How much history is kept. */
export interface RetentionPolicy {
  /** Every generation younger than this. */
  readonly wholeMs: number;
  /** The same, at most, for single datasets that are built so often that it would be too much. */
  readonly wholeMsMaxOf?: ReadonlyMap<string, number>;
  /** Beyond that the last generation of each UTC day, until this age. */
  readonly dailyMs: number;
  /** Compressed bytes of all bodies; the oldest generations go first. The newest of a dataset always stays. */
  readonly bodyBytesMax: number;
}

interface Kept {
  readonly dataset: string;
  readonly generation: number;
  readonly content_hash: string;
  readonly body_bytes: number;
  readonly built_at: number;
}

/** A body that no generation names may belong to a publish that is still under way; after this it does not. */
const ORPHAN_AGE_MS = DAY_MS;

/**
 * Removes generations, bodies and run-log lines that are past the policy, and returns how many generations went.
 * `datasets` are those whose lease the caller holds, so that no build of them is under way.
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
  await db
    .deleteFrom("source_run")
    .where("fetched_at", "<", now - policy.wholeMs)
    .execute();
  await removeBodies(db, bodies, new Set(doomed.map((row) => row.content_hash)), now);
  return doomed.length;
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

/** The generations that the policy does not keep, oldest first. */
export function generationsToRemove(all: readonly Kept[], policy: RetentionPolicy, now: number): readonly Kept[] {
  const oldestFirst = [...all].sort((a, b) => a.built_at - b.built_at || a.generation - b.generation);
  // By number, not by time: clocks step back, and the highest generation is the one that is served.
  const byGeneration = [...all].sort((a, b) => a.generation - b.generation);
  const newest = lastOf(byGeneration, (row) => row.dataset);
  const lastOfDay = lastOf(oldestFirst, (row) => `${row.dataset} ${Math.floor(row.built_at / DAY_MS)}`);
  const isKept = (row: Kept): boolean =>
    newest.has(row) ||
    row.built_at >= now - Math.min(policy.wholeMs, policy.wholeMsMaxOf?.get(row.dataset) ?? policy.wholeMs) ||
    (lastOfDay.has(row) && row.built_at >= now - policy.dailyMs);
  const kept = oldestFirst.filter(isKept);
  const overCap = beyondCap(kept, newest, policy.bodyBytesMax);
  return oldestFirst.filter((row) => !isKept(row) || overCap.has(row));
}

function lastOf(rows: readonly Kept[], keyOf: (row: Kept) => string): ReadonlySet<Kept> {
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
