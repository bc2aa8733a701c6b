import { LRUCache } from "lru-cache";
import type { AnyDataset } from "../../contract/product.js";
import { type AnyProduct, ingredientsOf, withIngredients } from "../../contract/product.js";
import type { Snapshot } from "../../contract/snapshot.js";
import { ClockPace, LoopTurns } from "../../kit/loop-turns.js";
import type { Generation } from "../generation.js";
import { type Loaded, loadSteps } from "../loaded.js";
import { newestReadable } from "../newest-readable.js";
import { type Held, type Standing, standing } from "../standing.js";
import type { SnapshotStore } from "../store.js";

/** The state of an ingredient at the time of a build. An ingredient is a dataset from which a product is built. */
export interface OpenedIngredient {
  /** The newest readable snapshot. */
  readonly snapshot: Snapshot<unknown>;
  /** Number of the newest stored generation, readable or not; 0 before the first. */
  readonly newest: number;
  /** True if the newest run found every source switched off or without its settings. */
  readonly isOff: boolean;
}

/** Opens the ingredients of products for builders. */
export interface IngredientStore {
  /** The ingredients of a product, by the names of their datasets. */
  open(product: AnyProduct, now: number): Promise<ReadonlyMap<string, OpenedIngredient>>;
}

/**
 * Maximum number of datasets in memory, and of records in all of them together. At least one dataset is kept,
 * regardless of its size.
 */
const DATASETS_MAX = 32;
const RECORDS_MAX = 400_000;

/** A generation that is loaded or being loaded. */
interface Opening {
  readonly generation: number;
  readonly loading: Promise<Loaded | undefined>;
}

/** Opens the newest generation of each dataset once for all products that are built from it. */
export function ingredientStore(store: SnapshotStore, turns: LoopTurns = new LoopTurns()): IngredientStore {
  const cache = new LRUCache<string, Opening>({
    max: DATASETS_MAX,
    maxSize: RECORDS_MAX,
    sizeCalculation: () => 1,
  });

  /**
   * Returns the newest loadable generation, which concurrent and later builds share while it is cached. The next build
   * retries a failed read.
   */
  function loadedOf(dataset: AnyDataset, newest: Generation): Promise<Loaded | undefined> {
    const { generation } = newest;
    const cached = cache.get(dataset.name);
    if (cached?.generation === generation) return cached.loading;
    const loading = load(dataset, newest);
    const forget = (): void => {
      if (cache.peek(dataset.name)?.loading === loading) cache.delete(dataset.name);
    };
    const size = Object.values(newest.recordCounts).reduce((sum, count) => sum + count, 1);
    cache.set(dataset.name, { generation, loading }, { size: Math.min(size, RECORDS_MAX) });
    loading.then((loaded) => {
      // If an earlier generation was loaded instead of the newest, unreadable one, the result is not cached, because
      // the newest one may be repaired.
      if (loaded?.generation !== newest) forget();
    }, forget);
    return loading;
  }

  async function load(dataset: AnyDataset, newest: Generation): Promise<Loaded | undefined> {
    const readable = await newestReadable(store, newest);
    if (!readable) return undefined;
    const pace = new ClockPace();
    return turns.run(loadSteps(dataset, readable.generation, readable.records, pace), pace);
  }

  return {
    async open(product, now) {
      const datasets = withIngredients(ingredientsOf(product));
      const [statuses, generations] = await Promise.all([
        store.statuses(),
        Promise.all(datasets.map(({ name }) => store.newest(name))),
      ]);
      const held = new Map<AnyDataset, Held>();
      for (const [index, dataset] of datasets.entries()) {
        const newest = generations[index];
        const loaded = newest && (await loadedOf(dataset, newest));
        const status = statuses.find((candidate) => candidate.dataset === dataset.name);
        const isNewest = loaded?.generation.generation === newest?.generation;
        const broken = newest && !isNewest ? { generation: newest, reason: "it cannot be read" } : undefined;
        held.set(dataset, { dataset, loaded, broken, status });
      }
      const standingOf = (dataset: AnyDataset): Standing => {
        const content = held.get(dataset);
        if (!content) throw new Error(`${dataset.name} was not opened`);
        return standing(content, now, standingOf);
      };
      return new Map(
        ingredientsOf(product).map((dataset) => {
          const newest = generations[datasets.indexOf(dataset)]?.generation ?? 0;
          const { snapshot, isOff } = standingOf(dataset);
          return [dataset.name, { snapshot, newest, isOff }];
        }),
      );
    },
  };
}
