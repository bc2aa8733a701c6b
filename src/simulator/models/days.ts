import { DAY_MS } from "../../kit/clock.js";

/** A UTC calendar day. */
export interface Day {
  /** Midnight, epoch ms. */
  readonly at: number;
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 1 to 366. */
  readonly dayOfYear: number;
}

export function dayAt(at: number): Day {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  return {
    at,
    year,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    dayOfYear: Math.round((at - Date.UTC(year, 0)) / DAY_MS) + 1,
  };
}

/** Returns the midnight at the start of the day of `now`, epoch ms. */
export function today(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS;
}

/** Formats a midnight as `YYYY-MM-DD`. */
export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
