import type { Counter } from "./counter.js";
import { type Limit, windowMsOf } from "./limiter.js";

const CAPACITY_FIRST = 4;

/**
 * The times of the units in a sliding window, oldest first, in a ring that grows with their number. The mark that `add`
 * returns is the time of the added units.
 */
export class SlidingLog implements Counter {
  private ring = new Float64Array(CAPACITY_FIRST);
  private head = 0;
  private length = 0;
  /**
   * The newest time. It is not lowered when a unit is given back: units that expired before this time are no longer
   * stored, so the units of an earlier window cannot be counted.
   */
  private newestAt: number;
  private windowMs = 0;

  /** A log that treats every time before `floorAt` as `floorAt`. */
  constructor(floorAt: number) {
    this.newestAt = floorAt;
  }

  get emptyAt(): number {
    return this.newestAt + this.windowMs;
  }

  unitsAt(now: number, limit: Limit): number {
    return this.length - this.leftAt(now, windowMsOf(limit));
  }

  freeAt(now: number, limit: Limit): number {
    const left = this.leftAt(now, windowMsOf(limit));
    const units = this.length - left;
    const before = Math.min(units - 1, Math.max(0, units - limit.max));
    return this.timeOf(left + before) + windowMsOf(limit);
  }

  /**
   * Adds units, and drops expired units. A read or a refusal does not drop units, because the clock may be ahead and
   * may be set back later.
   */
  add(now: number, limit: Limit, units: number): number {
    this.windowMs = windowMsOf(limit);
    this.drop(this.leftAt(now, this.windowMs));
    this.newestAt = Math.max(now, this.newestAt);
    for (let added = 0; added < units; added += 1) {
      if (this.length === this.ring.length) this.grow(limit.max);
      this.ring[this.slot(this.length)] = this.newestAt;
      this.length += 1;
    }
    return this.newestAt;
  }

  remove(mark: number): void {
    let index = this.length - 1;
    while (index >= 0 && this.timeOf(index) > mark) index -= 1;
    if (index < 0 || this.timeOf(index) !== mark) return;
    for (; index < this.length - 1; index += 1) this.ring[this.slot(index)] = this.timeOf(index + 1);
    this.length -= 1;
  }

  /** Returns the number of stored units that are too old for the window that ends at `now`. */
  private leftAt(now: number, windowMs: number): number {
    const outsideAt = Math.max(now, this.newestAt) - windowMs;
    if (this.length === 0 || this.timeOf(0) > outsideAt) return 0;
    // Usually few units have expired, so the search begins with the oldest.
    let [low, high] = [1, 1];
    while (high < this.length && this.timeOf(high) <= outsideAt) {
      low = high + 1;
      high *= 2;
    }
    high = Math.min(high, this.length);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.timeOf(middle) > outsideAt) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private drop(count: number): void {
    this.head = this.slot(count);
    this.length -= count;
  }

  /** Doubles the ring, but not beyond the limit, and adds at least one slot. */
  private grow(max: number): void {
    const ring = new Float64Array(Math.max(this.length + 1, Math.min(this.length * 2, max)));
    for (let index = 0; index < this.length; index += 1) ring[index] = this.timeOf(index);
    this.ring = ring;
    this.head = 0;
  }

  private timeOf(index: number): number {
    return this.ring[this.slot(index)] ?? 0;
  }

  private slot(index: number): number {
    const slot = this.head + index;
    return slot < this.ring.length ? slot : slot - this.ring.length;
  }
}
