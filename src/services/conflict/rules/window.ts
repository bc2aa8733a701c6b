import { DAY_MS } from "../../../kit/clock.js";

const WINDOW_DAYS = 30;

/** Midnight UTC 30 days ago, epoch ms: from here on events are kept, and an unset `start` is here. */
export function windowStart(now: number): number {
  return midnight(now) - WINDOW_DAYS * DAY_MS;
}

/** The midnight UTC at which the window moves on, epoch ms. */
export function windowMovesAt(now: number): number {
  return midnight(now) + DAY_MS;
}

function midnight(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS;
}
