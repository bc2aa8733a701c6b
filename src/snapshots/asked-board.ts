import type { AnyDataset } from "../contract/dataset.js";
import type { AskedStore } from "../database/asked.js";
import { type Clock, isWithin, MINUTE_MS, SECOND_MS } from "../kit/clock.js";

/** Which of the datasets that are built only while somebody asks for them are awake. */
export interface AskedBoard {
  /** True for datasets that are always built, and for those asked for lately. */
  isAwake(dataset: AnyDataset): boolean;
  /** Since when it is awake, as far as this process has seen; epoch ms. Undefined while it is not. */
  awakeSince(dataset: AnyDataset): number | undefined;
  /** Notes that somebody asks now. True when that woke it. */
  note(dataset: AnyDataset): boolean;
  /** What another thread has noted. */
  learn(dataset: string, askedAt: number): void;
  /** Resolves when it is awake; rejects with the signal's reason. */
  awake(dataset: AnyDataset, signal: AbortSignal): Promise<void>;
  /** Adopts what other processes have noted. */
  refresh(): Promise<void>;
  /** Resolves when everything noted so far is stored. */
  stored(): Promise<void>;
}

/** How long it may go unseen that another process woke a dataset. */
export const ASKED_SEEN_AFTER_MS = 2 * SECOND_MS;

/** Most that are awake at once: each is built again and again. The one that was asked for longest ago makes room. */
const AWAKE_MAX = 40;

/** How old the stored time of a dataset may be that is asked for all the time. */
const WRITTEN_EVERY_MS = 10 * MINUTE_MS;

interface Asked {
  askedAt: number;
  /** The time as the store or another thread told it, which may be that of a clock that was ahead. */
  toldAt: number;
  writtenAt: number;
  /** When this process saw it wake. */
  awakeSince: number;
}

export function askedBoard(
  store: AskedStore,
  datasets: readonly AnyDataset[],
  clock: Clock,
  onFault: (error: unknown) => void,
  awakeMax = AWAKE_MAX,
): AskedBoard {
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]));
  const known = new Map<string, Asked>();
  const writes = new Set<Promise<void>>();
  const sleepers = new Map<string, Set<() => void>>();

  function isLately(dataset: AnyDataset, asked: Asked | undefined): boolean {
    if (asked === undefined) return false;
    const now = clock.now();
    // The clock was set back: it is awake for as long from now as from a request, and no longer.
    asked.askedAt = Math.min(asked.askedAt, now);
    asked.awakeSince = Math.min(asked.awakeSince, now);
    return now < asked.askedAt + (dataset.whileAskedForMs ?? 0);
  }

  /** False where all that are awake were asked for later. */
  function makeRoom(askedAt: number): boolean {
    const awake = [...known].filter(([name, asked]) => {
      const dataset = byName.get(name);
      return dataset !== undefined && isLately(dataset, asked);
    });
    if (awake.length < awakeMax) return true;
    const [oldest, asked] = awake.reduce((a, b) => (b[1].askedAt < a[1].askedAt ? b : a));
    if (asked.askedAt > askedAt) return false;
    known.delete(oldest);
    return true;
  }

  function write(name: string, asked: Asked): void {
    const before = asked.writtenAt;
    asked.writtenAt = asked.askedAt;
    const writing = store
      .write(name, asked.askedAt)
      .catch((error: unknown) => {
        asked.writtenAt = before;
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

  function learn(name: string, toldAt: number): void {
    const dataset = byName.get(name);
    const asked = known.get(name);
    if (!dataset || asked?.toldAt === toldAt) return;
    const now = clock.now();
    const askedAt = Math.min(toldAt, now);
    const isAwake = isLately(dataset, asked);
    if (asked && asked.askedAt >= askedAt) return;
    if (!isAwake && !makeRoom(askedAt)) return;
    const awakeSince = asked && isAwake ? asked.awakeSince : now;
    known.set(name, { askedAt, toldAt, writtenAt: toldAt, awakeSince });
    wake(name);
  }

  return {
    isAwake: (dataset) => dataset.whileAskedForMs === undefined || isLately(dataset, known.get(dataset.name)),
    awakeSince(dataset) {
      const asked = known.get(dataset.name);
      return isLately(dataset, asked) ? asked?.awakeSince : undefined;
    },
    note(dataset) {
      const now = clock.now();
      const before = known.get(dataset.name);
      const wasAwake = isLately(dataset, before);
      if (!wasAwake) makeRoom(now);
      const asked = before ?? { askedAt: now, toldAt: now, writtenAt: Number.NEGATIVE_INFINITY, awakeSince: now };
      asked.askedAt = asked.toldAt = now;
      if (!wasAwake) asked.awakeSince = now;
      if (!before) known.set(dataset.name, asked);
      if (!isWithin(now, asked.writtenAt, WRITTEN_EVERY_MS)) write(dataset.name, asked);
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
      for (const [name, askedAt] of await store.all()) learn(name, askedAt);
    },
  };
}
