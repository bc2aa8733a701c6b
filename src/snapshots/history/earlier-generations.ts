import { LRUCache } from "lru-cache";
import type { AnyDataset } from "../../contract/product.js";
import type { PartRecords } from "../bodies/body.js";
import type { Generation } from "../generation.js";
import type { Loaded } from "../loaded.js";
import type { SnapshotStore } from "../store.js";

/** Replaced generations in memory, for callers that page through them and for reads of the past. */
export interface EarlierGenerations {
  /**
   * Returns the generation, which is read from the store if it is not in memory; undefined if it is gone. Concurrent
   * callers share one read, and the next caller repeats a failed read. `onRead` is called before a read and may throw.
   */
  load(dataset: AnyDataset, generation: number, onRead?: () => void): Promise<Loaded | undefined>;
  /** Keeps the generation that was just replaced, so that its readers do not wait. */
  keep(dataset: AnyDataset, replaced: Loaded): void;
}

/**
 * Memory of a generation per byte of its compressed body: the text is five times as long as the body, and the parsed
 * objects take four times as much memory as the text.
 */
const MEMORY_PER_BODY_BYTE = 20;
/** Assumed memory, in bytes, of a generation that is being read; also the minimum for every generation. */
const UNREAD_BYTES = 1_000;

export function earlierGenerations(
  store: SnapshotStore,
  loaded: (dataset: AnyDataset, generation: Generation, records: PartRecords) => Promise<Loaded>,
  bytesMax: number,
): EarlierGenerations {
  const cache = new LRUCache<string, Entry>({ maxSize: bytesMax });

  function put(key: string, entry: Entry): void {
    const bytes = entry.loaded === undefined ? UNREAD_BYTES : entry.loaded.generation.bodyBytes * MEMORY_PER_BODY_BYTE;
    // A generation above the limit is also kept, but alone.
    cache.set(key, entry, { size: Math.min(bytesMax, Math.max(UNREAD_BYTES, bytes)) });
  }

  async function read(dataset: AnyDataset, number: number): Promise<Loaded | undefined> {
    const generation = await store.generation(dataset.name, number);
    const records = generation && (await store.readableRecords(generation));
    return records && loaded(dataset, generation, records);
  }

  return {
    load(dataset, generation, onRead) {
      const key = keyOf(dataset, generation);
      const cached = cache.get(key);
      if (cached) return cached.loading;
      onRead?.();
      const begun: Entry = { loading: read(dataset, generation), loaded: undefined };
      put(key, begun);
      const isCurrent = (): boolean => cache.peek(key) === begun;
      begun.loading.then(
        (result) => {
          if (!isCurrent()) return;
          // A missing generation is not remembered as missing, because the next reader may find it restored.
          if (result === undefined) cache.delete(key);
          else put(key, { loading: begun.loading, loaded: result });
        },
        () => {
          if (isCurrent()) cache.delete(key);
        },
      );
      return begun.loading;
    },
    keep(dataset, replaced) {
      const key = keyOf(dataset, replaced.generation.generation);
      put(key, { loading: Promise.resolve(replaced), loaded: replaced });
    },
  };
}

interface Entry {
  readonly loading: Promise<Loaded | undefined>;
  /** The result of `loading`, which determines the size; undefined while loading. */
  readonly loaded: Loaded | undefined;
}

function keyOf({ name }: AnyDataset, generation: number): string {
  return `${name} ${generation}`;
}
