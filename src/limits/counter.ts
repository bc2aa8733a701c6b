import type { Limit } from "./limiter.js";

/**
 * The counted units of one subject under one limit. If a given time is before the newest counted time, the newest
 * counted time is used instead.
 */
export interface Counter {
  /** Time at which the window becomes empty, epoch ms. */
  readonly emptyAt: number;
  /** Units in the window at `now`. */
  unitsAt(now: number, limit: Limit): number;
  /** Time at which the next unit becomes free, epoch ms. Called only if `unitsAt` is above 0. */
  freeAt(now: number, limit: Limit): number;
  /** Counts units and returns their common mark, by which `remove` finds them. */
  add(now: number, limit: Limit, units: number): number;
  /** Removes a unit with this mark, unless it has left the window. */
  remove(mark: number): void;
}
