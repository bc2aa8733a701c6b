import { LRUCache } from "lru-cache";
import { MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { entriesUpTo } from "../kit/entries-up-to.js";

export interface WorkMeterSettings {
  /** Units that a subject may spend in a minute. */
  readonly unitsMax: number;
  /** Maximum number of subjects in memory, about half a kilobyte each. The least recently active one is dropped. */
  readonly subjectsMax?: number;
}

/** Length of the window in seconds. The units of each second have their own sum. */
const SECONDS = MINUTE_MS / SECOND_MS;

/** The units that one subject spent in each second of the last minute. */
interface Work {
  /** The newest second that `sums` includes. */
  second: number;
  readonly sums: Float64Array;
}

/**
 * Counts the work of each subject over the last minute, with a resolution of one second. Work is counted when it is
 * done, so a subject may exceed its limit by the work that is still running.
 */
export class WorkMeter {
  private readonly unitsMax: number;
  private readonly works: LRUCache<string, Work>;

  constructor({ unitsMax, subjectsMax = 10_000 }: WorkMeterSettings) {
    this.unitsMax = unitsMax;
    this.works = new LRUCache(entriesUpTo(subjectsMax));
  }

  /** Records units that a subject spent at `now`, ms on a clock that never goes back. */
  add(subject: string, units: number, now: number): void {
    const second = Math.floor(now / SECOND_MS);
    const work = this.works.get(subject) ?? { second, sums: new Float64Array(SECONDS) };
    forget(work, second);
    const slot = second % SECONDS;
    work.sums[slot] = (work.sums[slot] ?? 0) + units;
    this.works.set(subject, work);
  }

  /** Milliseconds until the subject may work again; 0 if it may work now. */
  waitMs(subject: string, now: number): number {
    const work = this.works.get(subject);
    if (work === undefined) return 0;
    const second = Math.floor(now / SECOND_MS);
    forget(work, second);
    let units = work.sums.reduce((sum, each) => sum + each, 0);
    if (units < this.unitsMax) return 0;
    // Begins with the oldest second, because it leaves the window first.
    for (let age = SECONDS - 1; age >= 0; age -= 1) {
      units -= work.sums[(second - age + SECONDS) % SECONDS] ?? 0;
      if (units < this.unitsMax) return (second - age + SECONDS) * SECOND_MS - now;
    }
    return MINUTE_MS;
  }
}

/** Clears the sums of the seconds before the window that ends with `second`. */
function forget(work: Work, second: number): void {
  const passed = Math.min(second - work.second, SECONDS);
  for (let step = 1; step <= passed; step += 1) work.sums[(work.second + step) % SECONDS] = 0;
  work.second = Math.max(work.second, second);
}
