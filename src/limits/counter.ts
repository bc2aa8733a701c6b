import type { Limit } from "./limiter.js";

/** The counted units of one subject under one limit. A time below the newest counted one is taken as that one. */
export interface Counter {
  /** From when on no unit is in the window, epoch ms. */
  readonly emptyAt: number;
  /** Units in the window at `now`. */
  unitsAt(now: number, limit: Limit): number;
  /** Time at which the next unit becomes free, epoch ms. Called only while there are units. */
  freeAt(now: number, limit: Limit): number;
  /** Counts a unit and gives its mark. */
  add(now: number, limit: Limit): number;
  /** Takes the unit with this mark out again, unless it has left the window. */
  remove(mark: number): void;
}
