import type { AnyDataset } from "../../contract/product.js";
import type { DatasetRequestStore } from "../../database/dataset-requests.js";
import { type Clock, isWithin, MINUTE_MS, SECOND_MS } from "../../kit/clock.js";

/**
 * Tracks which datasets are awake. Some datasets are built only while they are awake: a request wakes them, and they
 * fall asleep after a time without requests.
 */
export interface RequestBoard {
  /** True for datasets that are always built, and for recently requested ones. */
  isAwake(dataset: AnyDataset): boolean;
  /**
   * Time at which the dataset woke up, as seen by this process; epoch ms. Undefined while it is asleep, and for a
   * dataset that is always built.
   */
  awakeSince(dataset: AnyDataset): number | undefined;
  /** Records a request at the current time. Returns true if the request woke the dataset. */
  note(dataset: AnyDataset): boolean;
  /** Adopts a request recorded by another thread. */
  learn(dataset: string, requestedAt: number): void;
  /** Resolves when the dataset is awake. If the signal is aborted first, rejects with its reason. */
  awake(dataset: AnyDataset, signal: AbortSignal): Promise<void>;
  /** Adopts the requests recorded by other processes. */
  refresh(): Promise<void>;
  /** Resolves when all recorded requests are stored. */
  stored(): Promise<void>;
}

/** Maximum time until a process notices that another process woke a dataset. */
export const REQUEST_SEEN_AFTER_MS = 2 * SECOND_MS;

/**
 * Maximum number of datasets that requests keep awake. It limits the load, because each of them is rebuilt regularly.
 * Beyond this number, the dataset with the oldest request falls asleep. Datasets that are always built do not count.
 */
const AWAKE_MAX = 40;

/** Interval at which the request time of a continuously requested dataset is stored again. */
const WRITTEN_EVERY_MS = 10 * MINUTE_MS;

interface RequestTimes {
  requestedAt: number;
  /** Time of the last request on the clock of the process that recorded it. That clock may be ahead. */
  reportedAt: number;
  writtenAt: number;
  /** Time at which this process noticed that the dataset is awake. */
  awakeSince: number;
}

export function requestBoard(
  store: DatasetRequestStore,
  datasets: readonly AnyDataset[],
  clock: Clock,
  onFault: (error: unknown) => void,
  awakeMax = AWAKE_MAX,
): RequestBoard {
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]));
  const entries = new Map<string, RequestTimes>();
  const writes = new Set<Promise<void>>();
  const sleepers = new Map<string, Set<() => void>>();

  function isLately(dataset: AnyDataset, entry: RequestTimes | undefined): boolean {
    if (entry === undefined) return false;
    const now = clock.now();
    // If the clock was set back, the request is treated as made now.
    entry.requestedAt = Math.min(entry.requestedAt, now);
    entry.awakeSince = Math.min(entry.awakeSince, now);
    return now < entry.requestedAt + (dataset.awakeForMs ?? 0);
  }

  /**
   * If requests keep the maximum number of datasets awake, puts the one with the oldest request to sleep. If each of
   * them has a more recent request than `requestedAt`, puts none to sleep and returns false.
   */
  function makeRoom(requestedAt: number): boolean {
    const awake = [...entries].filter(([name, entry]) => {
      const dataset = byName.get(name);
      return dataset !== undefined && isLately(dataset, entry);
    });
    if (awake.length < awakeMax) return true;
    const [oldest, entry] = awake.reduce((a, b) => (b[1].requestedAt < a[1].requestedAt ? b : a));
    if (entry.requestedAt > requestedAt) return false;
    entries.delete(oldest);
    return true;
  }

  function write(name: string, entry: RequestTimes): void {
    const before = entry.writtenAt;
    entry.writtenAt = entry.requestedAt;
    const writing = store
      .write(name, entry.requestedAt)
      .catch((error: unknown) => {
        entry.writtenAt = before;
        onFault(error);
      })
      .finally(() => writes.delete(writing));
    writes.add(writing);
  }

  function wake(name: string): void {
    const waiting = sleepers.get(name);
    sleepers.delete(name);
    for (const woken of waiting ?? []) woken();
  }

  function learn(name: string, reportedAt: number): void {
    const dataset = byName.get(name);
    const entry = entries.get(name);
    if (!dataset || entry?.reportedAt === reportedAt) return;
    const now = clock.now();
    const requestedAt = Math.min(reportedAt, now);
    const isAwake = isLately(dataset, entry);
    if (entry && entry.requestedAt >= requestedAt) return;
    if (!isAwake && !makeRoom(requestedAt)) return;
    const awakeSince = entry && isAwake ? entry.awakeSince : now;
    entries.set(name, { requestedAt, reportedAt, writtenAt: reportedAt, awakeSince });
    wake(name);
  }

  return {
    isAwake: (dataset) => dataset.awakeForMs === undefined || isLately(dataset, entries.get(dataset.name)),
    awakeSince(dataset) {
      const entry = entries.get(dataset.name);
      return isLately(dataset, entry) ? entry?.awakeSince : undefined;
    },
    note(dataset) {
      const now = clock.now();
      const before = entries.get(dataset.name);
      const wasAwake = isLately(dataset, before);
      if (!wasAwake) makeRoom(now);
      const entry = before ?? {
        requestedAt: now,
        reportedAt: now,
        writtenAt: Number.NEGATIVE_INFINITY,
        awakeSince: now,
      };
      entry.requestedAt = entry.reportedAt = now;
      if (!wasAwake) entry.awakeSince = now;
      if (!before) entries.set(dataset.name, entry);
      if (!isWithin(now, entry.writtenAt, WRITTEN_EVERY_MS)) write(dataset.name, entry);
      if (!wasAwake) wake(dataset.name);
      return !wasAwake;
    },
    learn,
    async awake(dataset, signal) {
      while (!this.isAwake(dataset)) {
        await new Promise<void>((resolve, reject) => {
          const waiting = sleepers.get(dataset.name) ?? new Set();
          sleepers.set(dataset.name, waiting);
          const aborted = (): void => {
            waiting.delete(woken);
            reject(signal.reason);
          };
          const woken = (): void => {
            signal.removeEventListener("abort", aborted);
            resolve();
          };
          waiting.add(woken);
          if (signal.aborted) aborted();
          else signal.addEventListener("abort", aborted, { once: true });
        });
      }
    },
    async stored() {
      await Promise.all(writes);
    },
    async refresh() {
      for (const [name, requestedAt] of await store.all()) learn(name, requestedAt);
    },
  };
}
