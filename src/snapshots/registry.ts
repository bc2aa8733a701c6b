import type { Trouble, ViewOf } from "../contract/dataset.js";
import type { AnyDataset } from "../contract/product.js";
import type { AvailableSnapshot, Snapshot } from "../contract/snapshot.js";
import { type Clock, SECOND_MS } from "../kit/clock.js";
import { coalesced } from "../kit/coalesced.js";
import { ClockPace, type LoopTurns } from "../kit/loop-turns.js";
import { BodyDamaged, type PartRecords } from "./bodies/body.js";
import type { DatasetStatus, Generation } from "./generation.js";
import { earlierGenerations } from "./history/earlier-generations.js";
import { type Loaded, loadSteps } from "./loaded.js";
import { readableBefore } from "./newest-readable.js";
import type { NewestByPart } from "./part-ages.js";
import { sharedRecordSteps } from "./shared-records.js";
import { type Held, type Standing, standing } from "./standing.js";
import type { SnapshotStore } from "./store.js";

/** Holds the newest generation of every awake dataset in memory, for synchronous reads. */
export interface SnapshotRegistry {
  /** The datasets that are currently built: always-built ones and recently requested ones. */
  readonly datasets: readonly AnyDataset[];
  /** All datasets, including sleeping ones. */
  readonly allDatasets: readonly AnyDataset[];
  /**
   * The snapshot of a dataset at `now` (epoch ms). Costs only a lookup, except for the first call after a refresh or
   * after a change of state, such as becoming stale.
   */
  get<D extends AnyDataset>(dataset: D, now?: number): Snapshot<ViewOf<D>>;
  /**
   * An earlier generation as it was published; undefined if it is gone or not served. Reads the store unless the
   * generation is in memory.
   */
  at<D extends AnyDataset>(
    dataset: D,
    generation: number,
    seen?: SeenFrom<D>,
  ): Promise<AvailableSnapshot<ViewOf<D>> | undefined>;
  /**
   * Loads a generation into memory unless it is there already; undefined if it is gone. If the generation must be read
   * from the store, `onRead` is called first; it may throw.
   */
  loaded(dataset: AnyDataset, generation: number, onRead?: () => void): Promise<Loaded | undefined>;
  /** The result of a dataset's newest run; undefined before the first run. */
  status(dataset: AnyDataset): DatasetStatus | undefined;
  /** Metadata of the served generation, if any. */
  generation(dataset: AnyDataset): Generation | undefined;
  /** The newest observation of each part with an age limit, in the served generation. */
  newestByPart(dataset: AnyDataset): NewestByPart;
  /** The failing requests of a collection with many requests, in the served generation. */
  troubles(dataset: AnyDataset): readonly Trouble[];
  /** The datasets whose newest stored generation has unusable content. */
  unreadable(): readonly AnyDataset[];
  /**
   * Adopts the current content of the store. Called after each publish of this process, and at intervals to pick up
   * those of other processes.
   */
  refresh(): Promise<void>;
  /** Resolves after the next adoption of the store's content. */
  refreshed(): Promise<void>;
}

/** Options for reading an earlier generation. */
interface SeenFrom<D extends AnyDataset> {
  /** The dataset's newest snapshot as the caller sees it; a past one if the caller reads the past. Default: `get`. */
  readonly newest?: Snapshot<ViewOf<D>>;
  /** Called before a read of the store; may throw. */
  readonly onRead?: () => void;
}

interface Entry extends Held {
  loaded: Loaded | undefined;
  broken: Broken | undefined;
  status: DatasetStatus | undefined;
  /** The snapshot that `get` returns in the time from `since` to `until`. */
  current: (Standing & { readonly since: number }) | undefined;
}

/** A generation that could not be loaded. */
interface Broken extends NonNullable<Held["broken"]> {
  readonly seenCheckedAt: number | null;
  /**
   * Time of the next attempt to read it, epoch ms, if the store could not be read. Undefined if its content is unusable;
   * the next attempt is then made once a run has confirmed or replaced the content.
   */
  readonly retryAt: number | undefined;
  /** The message of the error, which is reported once. */
  readonly fault: string;
}

/** Pause between two attempts to read a generation after a failure of the store. */
const RETRY_MS = 15 * SECOND_MS;

interface RegistryParts {
  readonly store: SnapshotStore;
  readonly datasets: readonly AnyDataset[];
  readonly clock: Clock;
  /** Spreads the building of views over turns of the event loop. */
  readonly turns: LoopTurns;
  readonly report: (dataset: string, error: unknown) => void;
  /**
   * False for a dataset that no operation reads; its view is built as a check and then dropped. Default: all are
   * served.
   */
  readonly isServed?: (dataset: AnyDataset) => boolean;
  /** Sleeping datasets are not loaded. Default: all are awake. */
  readonly isAwake?: (dataset: AnyDataset) => boolean;
  /** Maximum estimated memory of replaced generations, bytes. */
  readonly earlierBytesMax?: number;
}

export function snapshotRegistry(registryParts: RegistryParts): SnapshotRegistry {
  const { store, datasets, clock, turns, report, isAwake = () => true, isServed = () => true } = registryParts;
  const { earlierBytesMax = EARLIER_BYTES_MAX } = registryParts;
  const entries = new Map<string, Entry>(
    datasets.map((dataset) => [
      dataset.name,
      { dataset, loaded: undefined, broken: undefined, status: undefined, current: undefined },
    ]),
  );

  const earlier = earlierGenerations(store, loaded, earlierBytesMax);

  /** Builds the view in slices; until the view is built, the previous snapshot is served. */
  async function loaded(dataset: AnyDataset, generation: Generation, records: PartRecords): Promise<Loaded> {
    const pace = new ClockPace();
    const others = isServed(dataset) ? entryOf(dataset).loaded?.records : undefined;
    const shared = others ? await turns.run(sharedRecordSteps(dataset, records, others, pace), pace) : records;
    const result = await turns.run(loadSteps(dataset, generation, shared, pace), pace);
    return isServed(dataset) ? result : { ...result, view: undefined, records: undefined };
  }

  function entryOf(dataset: AnyDataset): Entry {
    const entry = entries.get(dataset.name);
    if (!entry) throw new Error(`dataset ${dataset.name} is not registered`);
    return entry;
  }

  function current(dataset: AnyDataset, now: number): Standing {
    const entry = entryOf(dataset);
    // A time before `since` comes from a clock that was set back.
    if (!entry.current || now >= entry.current.until || now < entry.current.since) {
      entry.current = { since: now, ...standing(entry, now, current) };
    }
    return entry.current;
  }

  async function adopt(entry: Entry, generation: Generation, status: DatasetStatus | undefined): Promise<void> {
    if (entry.loaded?.generation.generation === generation.generation) return;
    const checkedAt = status?.checkedAt ?? null;
    const broken = entry.broken?.generation.generation === generation.generation ? entry.broken : undefined;
    const isWaiting = clock.now() < (broken?.retryAt ?? Number.POSITIVE_INFINITY);
    if (broken?.seenCheckedAt === checkedAt && isWaiting) return;
    let isRead = false;
    try {
      const records: PartRecords = await store.records(generation);
      isRead = true;
      const replaced = entry.loaded;
      entry.loaded = await loaded(entry.dataset, generation, records);
      entry.broken = undefined;
      if (generation.isDamaged) report(entry.dataset.name, new Error("the newest generation has unreadable metadata"));
      if (replaced && isServed(entry.dataset)) earlier.keep(entry.dataset, replaced);
    } catch (error) {
      const fault = String(error);
      if (broken?.fault !== fault) report(entry.dataset.name, error);
      const reason = error instanceof BodyDamaged ? error.message : "the stored records could not be read";
      // An error of the store, such as a lost connection, says nothing about the content.
      const retryAt = isRead || error instanceof BodyDamaged ? undefined : clock.now() + RETRY_MS;
      entry.loaded ??= await newestLoadable(entry.dataset, generation).catch((failure: unknown) => {
        if (broken === undefined) report(entry.dataset.name, failure);
        return undefined;
      });
      entry.broken = { generation, reason, seenCheckedAt: checkedAt, retryAt, fault };
    }
  }

  /** Returns the newest loadable generation before one that cannot be served; undefined if there is none. */
  async function newestLoadable(dataset: AnyDataset, broken: Generation): Promise<Loaded | undefined> {
    for await (const { generation, records } of readableBefore(store, broken)) {
      try {
        return await loaded(dataset, generation, records);
      } catch (error) {
        report(dataset.name, error);
      }
    }
    return undefined;
  }

  async function load(): Promise<void> {
    const [generations, statuses] = await Promise.all([store.newestOfAll(), store.statuses()]);
    const statusOf = new Map(statuses.map((status) => [status.dataset, status]));
    const adoptions = generations.flatMap((generation) => {
      const entry = entries.get(generation.dataset);
      return entry && isAwake(entry.dataset) ? [adopt(entry, generation, statusOf.get(generation.dataset))] : [];
    });
    await Promise.all(adoptions);
    for (const entry of entries.values()) {
      entry.status = statusOf.get(entry.dataset.name);
      entry.current = undefined;
      if (!isAwake(entry.dataset)) entry.loaded = entry.broken = undefined;
    }
    next.resolve();
    next = deferred();
  }

  let next = deferred();

  return {
    get datasets() {
      return datasets.filter(isAwake);
    },
    allDatasets: datasets,
    get<D extends AnyDataset>(dataset: D, now = clock.now()) {
      // The cast is safe, because the entry of a dataset contains the result of that dataset's own `view`.
      return current(dataset, now).snapshot as Snapshot<ViewOf<D>>;
    },
    async loaded(dataset, generation, onRead) {
      const current = entryOf(dataset).loaded;
      return current?.generation.generation === generation ? current : earlier.load(dataset, generation, onRead);
    },
    async at<D extends AnyDataset>(dataset: D, generation: number, seen: SeenFrom<D> = {}) {
      const newest = seen.newest ?? this.get(dataset);
      if (newest.available && newest.generation === generation) return newest;
      const loaded = await this.loaded(dataset, generation, seen.onRead);
      if (!loaded || loaded.pending !== undefined) return undefined;
      // An earlier generation gets the state of the newest one, because it is never fresher.
      const state = newest.available ? newest.state : "stale";
      return publishedSnapshot(loaded, state) as AvailableSnapshot<ViewOf<D>>;
    },
    status: (dataset) => entryOf(dataset).status,
    generation: (dataset) => entryOf(dataset).loaded?.generation,
    newestByPart: (dataset) => entryOf(dataset).loaded?.newest ?? {},
    troubles: (dataset) => entryOf(dataset).loaded?.troubles ?? [],
    // A new build does not help while the store cannot be read.
    unreadable: () =>
      [...entries.values()]
        .filter(({ broken }) => broken && broken.retryAt === undefined)
        .map(({ dataset }) => dataset),
    refresh: coalesced(load),
    refreshed: () => next.promise,
  };
}

const EARLIER_BYTES_MAX = 128_000_000;

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Returns the snapshot of a generation as it was published, with the given state. */
export function publishedSnapshot(
  { generation, view }: Loaded,
  state: AvailableSnapshot<unknown>["state"],
): AvailableSnapshot<unknown> {
  const { contentHash, builtAt, newestAt } = generation;
  return {
    available: true,
    state,
    view,
    generation: generation.generation,
    contentHash,
    builtAt,
    newestAt,
    checkedAt: builtAt,
    nextBuildAt: null,
    attempt: null,
    parts: {},
  };
}
