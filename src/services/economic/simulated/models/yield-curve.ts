import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import type { Random } from "../../../../kit/random.js";
import { bell, rememberPerSeed, streamFor } from "../../../../simulator/models/random-stream.js";
import { holidaysOf } from "./federal-holidays.js";

/** Time to maturity of each column in years, shortest first. */
export const TENOR_YEARS = [1 / 12, 1.5 / 12, 2 / 12, 3 / 12, 4 / 12, 6 / 12, 1, 2, 3, 5, 7, 10, 20, 30] as const;

export interface CurveDay {
  /** Calendar day, `YYYY-MM-DD`. */
  readonly on: string;
  /** Number of the business day, counted from 1 for the first one. */
  readonly number: number;
  /** Epoch ms of the Treasury's publication. */
  readonly publishedAt: number;
  /** Percent per annum, one for each of `TENOR_YEARS`, 2 decimals. */
  readonly yields: readonly number[];
}

const FIRST_DAY = Date.UTC(1990, 0, 2);
/**
 * Last day of the random walk. Even if the clock is later, the walk ends here, so that memory stays bounded (about
 * 28,000 business days).
 */
const LAST_DAY = Date.UTC(2100, 11, 31);
const PUBLISHED_AFTER_MS = 20 * HOUR_MS + 30 * MINUTE_MS;
const YIELD_MIN = 0;
const YIELD_MAX = 9;

/**
 * Returns every business day whose curve was published at or before `now`, oldest first. A day's yields depend only on
 * seed and day.
 */
export function curveDaysBy(now: number, seed: number): readonly CurveDay[] {
  return walkOf(seed)(now).filter((day) => day.publishedAt <= now);
}

/** The walk of a seed. It caches its days, and continues from the last cached day if a later time is requested. */
const walkOf = rememberPerSeed((seed) => {
  const step = curveSteps(streamFor(seed, "treasury-curve"));
  const days: CurveDay[] = [];
  let nextDay = FIRST_DAY;
  let holidays = { year: 0, days: holidaysOf(0) };

  function isBusinessDay(day: number): boolean {
    const date = new Date(day);
    if (date.getUTCFullYear() !== holidays.year) {
      holidays = { year: date.getUTCFullYear(), days: holidaysOf(date.getUTCFullYear()) };
    }
    return date.getUTCDay() % 6 !== 0 && !holidays.days.has(day);
  }

  return (now: number): readonly CurveDay[] => {
    for (; nextDay <= LAST_DAY && nextDay + PUBLISHED_AFTER_MS <= now; nextDay += DAY_MS) {
      if (!isBusinessDay(nextDay)) continue;
      const on = new Date(nextDay).toISOString().slice(0, 10);
      days.push({ on, number: days.length + 1, publishedAt: nextDay + PUBLISHED_AFTER_MS, yields: step() });
    }
    return days;
  };
});

/**
 * Makes a function that returns the next day's curve at each call. The long rate drifts from 8% towards 4%, and the
 * slope occasionally becomes negative. Speeds and volatilities are per business day, chosen so that the curve moves
 * about as much in a year as the real curve.
 */
function curveSteps(random: Random): () => readonly number[] {
  let day = 0;
  let long = 8.1;
  let slope = 0.4;
  return () => {
    const longAim = 4 + 4 * Math.exp(-day / 2_500);
    long = within(long + (longAim - long) * 0.0008 + bell(random) * 0.055);
    slope += (1.3 - slope) * 0.0012 + bell(random) * 0.045;
    day += 1;
    return TENOR_YEARS.map((years) => yieldAt(years, long, slope, bell(random)));
  };
}

function yieldAt(years: number, long: number, slope: number, noise: number): number {
  return within(Math.round((long - slope * Math.exp(-years / 3.5) + noise * 0.012) * 100) / 100);
}

function within(value: number): number {
  return Math.min(YIELD_MAX, Math.max(YIELD_MIN, value));
}
