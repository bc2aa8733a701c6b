import { DAY_MS } from "../../../../kit/clock.js";
import { dayAt, today } from "../../../../simulator/models/days.js";
import { bell, rememberPerSeed, streamFor } from "../../../../simulator/models/random-stream.js";
import { co2Level, co2Season } from "./greenhouse-gas.js";

/** A day that has a row in the Mauna Loa record of carbon dioxide. */
export interface Co2Day {
  /** Midnight, epoch ms. */
  readonly at: number;
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** Middle of the day as a year with its fraction. */
  readonly decimalYear: number;
  /** Parts per million; null for the few days whose row has no value. */
  readonly ppm: number | null;
}

export interface Co2Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** Parts per million, adjusted to the middle of the month. */
  readonly averagePpm: number;
  /** The average without the seasonal cycle, parts per million. */
  readonly trendPpm: number;
  /** Daily values of the month; undefined before daily records began and for a month without daily values. */
  readonly days?: { readonly count: number; readonly deviationPpm: number };
}

/** First day with a daily value, and first month with a monthly value, in the Mauna Loa record. */
const FIRST_DAY = Date.UTC(1974, 4, 19);
const FIRST_MONTH = 1958 * 12 + 2;
/** Last simulated day, regardless of the clock, so that memory stays bounded. */
const LAST_DAY = Date.UTC(2100, 11, 31);
/** A month without measurements: December 1975. Its mean is derived from the trend. */
const LOST_MONTH = 1975 * 12 + 11;

/**
 * Returns every day that has a row and lies before the day of `now`, oldest first. The value of a day depends only on
 * the seed and the day.
 */
export function co2Days(now: number, seed: number): readonly Co2Day[] {
  const end = today(now);
  return walkOf(seed)(end).filter(({ at }) => at < end);
}

const walkOf = rememberPerSeed((seed) => {
  const random = streamFor(seed, "co2-mauna-loa");
  const level = co2Level(seed);
  const days: Co2Day[] = [];
  let next = FIRST_DAY;
  let weather = 0;
  return (end: number): readonly Co2Day[] => {
    for (; next < end && next <= LAST_DAY; next += DAY_MS) {
      weather = weather * 0.6 + bell(random) * 0.3;
      const chance = random();
      if (chance < 0.2) continue;
      const { year, month, day, dayOfYear } = dayAt(next);
      const decimalYear = year + (dayOfYear - 0.5) / daysOfYear(year);
      const ppm = chance > 0.998 ? null : level(decimalYear) + co2Season(decimalYear) + weather;
      if (monthOf({ year, month }) !== LOST_MONTH) days.push({ at: next, year, month, day, decimalYear, ppm });
    }
    return days;
  };
});

/**
 * Returns the months up to `lastMonth` (months since year 0), oldest first. Daily values begin in May 1974. The value
 * of a month with daily values is their mean, adjusted to the middle of the month.
 */
export function co2Months(lastMonth: number, seed: number): readonly Co2Month[] {
  const level = co2Level(seed);
  const random = streamFor(seed, "co2-before-days");
  const byMonth = groupedByMonth(co2Days(Date.UTC(1900, lastMonth + 1 - 1900 * 12), seed));
  return Array.from({ length: Math.max(0, lastMonth - FIRST_MONTH + 1) }, (_, index) => {
    const month = FIRST_MONTH + index;
    const middle = (month + 0.5) / 12;
    const noise = 0.15 * bell(random);
    return monthFrom(month, middle, byMonth.get(month) ?? [], level(middle) + noise);
  });
}

/** Builds a month from its days. `fallback` is the trend of a month without daily values. */
function monthFrom(number: number, middle: number, days: readonly Co2Day[], fallback: number): Co2Month {
  const values = days.flatMap(({ ppm, decimalYear }) => (ppm === null ? [] : [ppm - co2Season(decimalYear)]));
  const trendPpm = values.length === 0 ? fallback : meanOf(values);
  const deviationPpm = Math.sqrt(meanOf(values.map((value) => (value - trendPpm) ** 2)));
  return {
    year: Math.floor(number / 12),
    month: (number % 12) + 1,
    averagePpm: trendPpm + co2Season(middle),
    trendPpm,
    ...(values.length > 0 && { days: { count: values.length, deviationPpm } }),
  };
}

function groupedByMonth(days: readonly Co2Day[]): ReadonlyMap<number, readonly Co2Day[]> {
  const byMonth = new Map<number, Co2Day[]>();
  for (const day of days) {
    const monthDays = byMonth.get(monthOf(day));
    if (monthDays === undefined) byMonth.set(monthOf(day), [day]);
    else monthDays.push(day);
  }
  return byMonth;
}

/** Returns the number of days in a year, 365 or 366. */
export function daysOfYear(year: number): number {
  return (Date.UTC(year + 1, 0) - Date.UTC(year, 0)) / DAY_MS;
}

function monthOf({ year, month }: { readonly year: number; readonly month: number }): number {
  return year * 12 + month - 1;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
