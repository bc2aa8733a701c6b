import type { PartRecords } from "./body.js";
import type { Generation } from "./generation.js";
import type { SnapshotStore } from "./store.js";

/** Earlier generations that are tried; damage of a disk rarely reaches further back. */
const TRIED_MAX = 10;

export interface ReadableGeneration {
  readonly generation: Generation;
  readonly records: PartRecords;
}

/** The given generation, or the newest before it whose records can be read; undefined when none can. */
export async function newestReadable(
  store: SnapshotStore,
  newest: Generation,
): Promise<ReadableGeneration | undefined> {
  const records = await store.readableRecords(newest);
  if (records) return { generation: newest, records };
  for await (const readable of readableBefore(store, newest)) return readable;
  return undefined;
}

/** The generations before the given one whose records can be read, newest first. */
export async function* readableBefore(
  store: SnapshotStore,
  { dataset, generation: number, contentHash }: Generation,
): AsyncGenerator<ReadableGeneration, void> {
  for (const generation of await store.earlier(dataset, number, TRIED_MAX)) {
    // The same content is the same body.
    if (generation.contentHash === contentHash) continue;
    const records = await store.readableRecords(generation);
    if (records) yield { generation, records };
  }
}
