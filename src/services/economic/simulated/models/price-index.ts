import { HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { bell, rememberPerSeed, streamFor } from "../../../../simulator/models/random-stream.js";

export interface PriceSeries {
  readonly id: string;
  /** First month of the series, as months since January 1947. */
  readonly firstMonth: number;
  /** Index level of that month. */
  readonly startLevel: number;
  /** Annual growth above the common inflation, percent. */
  readonly spread: number;
  /** Standard deviation of the random monthly deviation from the trend, percent. */
  readonly surprise: number;
}

export interface IndexMonth {
  /** First day of the month, `YYYY-MM-DD`. */
  readonly on: string;
  /** Epoch ms of the release: the 12th of the following month, 12:30 UTC. */
  readonly publishedAt: number;
  /** Index level, 3 decimals; null for a month without collection. */
  readonly level: number | null;
}

/** Returns the number of a month, counted from January 1947, the first month of the oldest series. */
export function monthNumber(year: number, month: number): number {
  return (year - 1947) * 12 + (month - 1);
}

/**
 * The month of the federal shutdown, in which no prices were collected. Its row exists without a value (BLS and FRED,
 * seen 2026-09).
 */
const NEVER_COLLECTED = monthNumber(2025, 10);
/** Last month of the random walk. Even if the clock is later, the walk ends here, so that memory stays bounded. */
const LAST_MONTH = monthNumber(2100, 12);
/** Share of a deviation that remains a month later. Below 1, so that a series returns to its trend. */
const SURPRISE_KEPT = 0.97;

/**
 * Returns every month of `series` published by `now`, oldest first. A month's level depends only on seed, series and
 * month.
 */
export function indexMonthsBy(now: number, seed: number, series: PriceSeries): readonly IndexMonth[] {
  return walksOf(seed)(series).filter((month) => month.publishedAt <= now);
}

const walksOf = rememberPerSeed((seed) => {
  const inflation = commonInflation(seed);
  const walks = new Map<string, readonly IndexMonth[]>();
  return (series: PriceSeries): readonly IndexMonth[] => {
    const cached = walks.get(series.id);
    if (cached !== undefined) return cached;
    const walk = indexWalk(seed, series, inflation);
    walks.set(series.id, walk);
    return walk;
  };
});

/** Creates the annual inflation of every month since 1947, percent, for all series. It varies slowly around 3.4. */
function commonInflation(seed: number): readonly number[] {
  const random = streamFor(seed, "inflation");
  let annual = 3.4;
  return Array.from({ length: LAST_MONTH + 1 }, () => {
    annual = Math.min(13, Math.max(-1, annual + (3.4 - annual) * 0.02 + bell(random) * 0.28));
    return annual;
  });
}

function indexWalk(seed: number, series: PriceSeries, inflation: readonly number[]): readonly IndexMonth[] {
  const random = streamFor(seed, series.id);
  let trend = Math.log(series.startLevel);
  let surprise = 0;
  return inflation.slice(series.firstMonth).map((annual, index) => {
    const month = series.firstMonth + index;
    const level = Math.round(Math.exp(trend + surprise) * 1_000) / 1_000;
    trend += (annual + series.spread) / 1_200;
    surprise = surprise * SURPRISE_KEPT + (bell(random) * series.surprise) / 100;
    return { ...releaseOf(month), level: month === NEVER_COLLECTED ? null : level };
  });
}

function releaseOf(month: number): { readonly on: string; readonly publishedAt: number } {
  return {
    on: new Date(Date.UTC(1947, month, 1)).toISOString().slice(0, 10),
    publishedAt: Date.UTC(1947, month + 1, 12) + 12 * HOUR_MS + 30 * MINUTE_MS,
  };
}
