import type { PartRecords } from "./bodies/body.js";
import type { Generation } from "./generation.js";
import type { SnapshotStore } from "./store.js";

/** Maximum number of earlier generations to try; disk damage rarely affects more. */
const TRIED_MAX = 10;

export interface ReadableGeneration {
  readonly generation: Generation;
  readonly records: PartRecords;
}

/**
 * Returns `newest` if its records are readable, or else the newest earlier generation with readable records.
 * Returns undefined if no tried generation has readable records.
 */
export async function newestReadable(
  store: SnapshotStore,
  newest: Generation,
): Promise<ReadableGeneration | undefined> {
  const records = await store.readableRecords(newest);
  if (records) return { generation: newest, records };
  for await (const readable of readableBefore(store, newest)) return readable;
  return undefined;
}

/** Tries the `TRIED_MAX` generations before the given one, newest first. Yields those with readable records. */
export async function* readableBefore(
  store: SnapshotStore,
  { dataset, generation: number, contentHash }: Generation,
): AsyncGenerator<ReadableGeneration, void> {
  for (const generation of await store.earlier(dataset, number, TRIED_MAX)) {
    // If the hashes are equal, this generation has the same body as the given one, which cannot be used.
    if (generation.contentHash === contentHash) continue;
    const records = await store.readableRecords(generation);
    if (records) yield { generation, records };
  }
}
