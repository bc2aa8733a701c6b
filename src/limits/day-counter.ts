import { DAY_MS } from "../kit/clock.js";
import type { Counter } from "./counter.js";
import type { Limit } from "./limiter.js";

/** Counts the units of the newest UTC day. The mark that `add` returns is this day. */
export class DayCounter implements Counter {
  private day: number;
  private units = 0;

  /** A counter that treats every time before `floorAt` as `floorAt`. */
  constructor(floorAt: number) {
    this.day = dayOf(floorAt);
  }

  get emptyAt(): number {
    return (this.day + 1) * DAY_MS;
  }

  unitsAt(now: number): number {
    return dayOf(now) > this.day ? 0 : this.units;
  }

  freeAt(now: number): number {
    return (Math.max(dayOf(now), this.day) + 1) * DAY_MS;
  }

  add(now: number, _limit: Limit, units: number): number {
    if (dayOf(now) > this.day) {
      this.day = dayOf(now);
      this.units = 0;
    }
    this.units += units;
    return this.day;
  }

  remove(mark: number): void {
    if (mark === this.day) this.units -= 1;
  }
}

/** Whole UTC days since 1970. */
function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}
