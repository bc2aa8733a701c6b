import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import type { AnyDataset } from "../contract/product.js";
import type { Database } from "../database/schema.js";
import { ClockPace, LoopTurns } from "../kit/loop-turns.js";
import type { PartRecords } from "../snapshots/bodies/body.js";
import type { Generation } from "../snapshots/generation.js";
import { type Loaded, loadSteps } from "../snapshots/loaded.js";
import { openedParts, recordsOf } from "../snapshots/opened.js";
import { generationOf } from "../snapshots/rows.js";
import type { SnapshotStore } from "../snapshots/store.js";
import { Skipped, type Stored } from "./check.js";

/** A generation in memory. */
export interface HeldGeneration {
  readonly dataset: AnyDataset;
  readonly generation: Generation;
  readonly stored: Stored;
  /** Returns the generation with its view (the form of the data that operations read), built on the first call. */
  loaded(): Promise<Loaded>;
}

/**
 * Maximum number of records in memory, not counting those of the checked generation. At least one generation is kept.
 */
const RECORDS_MAX = 400_000;

/** Opens the records of a generation. */
export function heldGeneration(dataset: AnyDataset, generation: Generation, records: PartRecords): HeldGeneration {
  let loading: Promise<Loaded> | undefined;
  const { generation: number, builtAt } = generation;
  const parts = recordsOf(openedParts(dataset, records));
  return {
    dataset,
    generation,
    stored: { dataset: dataset.name, generation: number, builtAt, parts },
    loaded() {
      const pace = new ClockPace();
      loading ??= Promise.resolve(new LoopTurns().run(loadSteps(dataset, generation, records, pace), pace));
      return loading;
    },
  };
}

/** Access to generations other than the one being checked. */
export interface OtherGenerations {
  /** Returns the newest generation that was built at or before the time `at`, epoch ms. */
  at(dataset: AnyDataset, at: number): Promise<HeldGeneration | undefined>;
  numbered(dataset: string, generation: number): Promise<HeldGeneration | undefined>;
}

export function otherGenerations(
  { db, store }: { readonly db: Kysely<Database>; readonly store: SnapshotStore },
  datasets: ReadonlyMap<string, AnyDataset>,
): OtherGenerations {
  const cache = new LRUCache<string, HeldGeneration>({ maxSize: RECORDS_MAX });

  async function held(dataset: AnyDataset, generation: Generation): Promise<HeldGeneration | undefined> {
    const key = `${dataset.name} ${generation.generation}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const records = await store.readableRecords(generation);
    if (!records) return undefined;
    const opened = heldGeneration(dataset, generation, records);
    const size = Object.values(records).reduce((sum, rows) => sum + rows.length, 1);
    cache.set(key, opened, { size: Math.min(size, RECORDS_MAX) });
    return opened;
  }

  return {
    async at(dataset, at) {
      const row = await db
        .selectFrom("snapshot")
        .selectAll()
        .where("dataset", "=", dataset.name)
        .where("built_at", "<=", at)
        .orderBy("generation", "desc")
        .limit(1)
        .executeTakeFirst();
      return row && held(dataset, generationOf(row));
    },
    async numbered(name, number) {
      const dataset = datasets.get(name);
      const generation = dataset && (await store.generation(name, number));
      return generation && held(dataset, generation);
    },
  };
}

/**
 * Returns the rows of the named datasets from which this generation of a product was built; `Skipped` if a generation
 * with these rows is gone.
 */
export async function ingredientsOf(
  others: OtherGenerations,
  { ingredients = [] }: Generation,
  names: readonly string[],
): Promise<ReadonlyMap<string, Stored> | Skipped> {
  const rows = new Map<string, Stored>();
  for (const { dataset, generation, contentHash } of ingredients) {
    if (!names.includes(dataset)) continue;
    const held = await others.numbered(dataset, generation);
    if (held?.generation.contentHash !== contentHash) return new Skipped(`the generation of ${dataset} is gone`);
    rows.set(dataset, held.stored);
  }
  return rows;
}
