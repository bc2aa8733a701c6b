import { DAY_MS } from "../../../kit/clock.js";

const WINDOW_DAYS = 30;

/**
 * Returns the time at which the window starts: midnight UTC 30 days ago, epoch ms. The query parameter `start` defaults
 * to this time.
 */
export function windowStart(now: number): number {
  return midnight(now) - WINDOW_DAYS * DAY_MS;
}

/** Returns the next midnight UTC, at which the window moves, epoch ms. */
export function windowMovesAt(now: number): number {
  return midnight(now) + DAY_MS;
}

function midnight(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS;
}
