import { DAY_MS } from "../../../../kit/clock.js";
import { dayAt, isoDay, today } from "../../../../simulator/models/days.js";
import { bell, rememberPerSeed, streamFor } from "../../../../simulator/models/random-stream.js";

export interface IceDay {
  /** Midnight, epoch ms. */
  readonly at: number;
  /** `YYYY-MM-DD` */
  readonly on: string;
  /** Arctic sea ice extent, million km². */
  readonly extent: number;
}

const FIRST_DAY = Date.UTC(1978, 9, 26);
/** Last simulated day, regardless of the clock, so that memory stays bounded. */
const LAST_DAY = Date.UTC(2100, 11, 31);
/** First day of daily values; before it, there is a value every second day. */
const DAILY_SINCE = Date.UTC(1987, 7, 20);
/** Satellite outage; both days included. */
const OUTAGE = [Date.UTC(1987, 11, 3), Date.UTC(1988, 0, 12)] as const;

/**
 * Returns every day on record before the day of `now`, oldest first. The extent on a day depends only on the seed and
 * the day.
 */
export function iceDays(now: number, seed: number): readonly IceDay[] {
  const end = today(now);
  const [delayedFrom, delayedTo] = delayedIn(dayAt(end - DAY_MS).year);
  return walkOf(seed)(end).filter(({ at }) => at < end && (at < delayedFrom || at > delayedTo));
}

/** Returns the last three days of January of a year. Their values are missing until the year has ended. */
function delayedIn(year: number): readonly [from: number, to: number] {
  return [Date.UTC(year, 0, 29), Date.UTC(year, 0, 31)];
}

const walkOf = rememberPerSeed((seed) => {
  const random = streamFor(seed, "arctic-sea-ice");
  const days: IceDay[] = [];
  let next = FIRST_DAY;
  let departure = 0;
  return (end: number): readonly IceDay[] => {
    for (; next < end && next <= LAST_DAY; next += next < DAILY_SINCE ? 2 * DAY_MS : DAY_MS) {
      departure = departure * 0.995 + bell(random) * 0.035;
      if (next >= OUTAGE[0] && next <= OUTAGE[1]) continue;
      const on = isoDay(next);
      const year = Number(on.slice(0, 4));
      const extent = normalExtent(year, (next - Date.UTC(year, 0)) / DAY_MS + 1) + departure;
      days.push({ at: next, on, extent: Math.max(0, extent) });
    }
    return days;
  };
});

/**
 * Returns the expected extent on a day, million km²: yearly and half-yearly waves around a linear trend, fitted to the
 * Sea Ice Index from 1978 to 2026. The extent is largest around 1 March and smallest in early September. Its decline
 * from year to year is largest in late summer.
 */
export function normalExtent(year: number, dayOfYear: number): number {
  const angle = (2 * Math.PI * (dayOfYear - 1)) / 365.25;
  const [cos, sin, cosTwice, sinTwice] = [Math.cos(angle), Math.sin(angle), Math.cos(2 * angle), Math.sin(2 * angle)];
  const level = 11.66 + 1.855 * cos + 3.882 * sin + 0.52 * cosTwice - 0.446 * sinTwice;
  const change = -0.0523 + 0.0041 * cos + 0.0216 * sin + 0.0052 * cosTwice - 0.0065 * sinTwice;
  return level + (year + dayOfYear / 366 - 1995.5) * change;
}
