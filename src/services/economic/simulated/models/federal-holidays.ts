import { DAY_MS } from "../../../../kit/clock.js";

const MONDAY = 1;
const THURSDAY = 4;

/**
 * Returns the days of `year` on which the Treasury publishes no yield curve: Good Friday, and the days on which US
 * federal holidays are observed. Each day is given as its midnight UTC. A Saturday holiday is observed on Friday and a
 * Sunday holiday on Monday, so New Year's Day may be observed on 31 December of the previous year.
 */
export function holidaysOf(year: number): ReadonlySet<number> {
  const days = [
    ...[newYear(year), newYear(year + 1)].filter((day) => new Date(day).getUTCFullYear() === year),
    nthWeekday(year, 2, MONDAY, 3),
    goodFriday(year),
    lastMonday(year, 5),
    observed(Date.UTC(year, 6, 4)),
    nthWeekday(year, 9, MONDAY, 1),
    nthWeekday(year, 10, MONDAY, 2),
    observed(Date.UTC(year, 10, 11)),
    nthWeekday(year, 11, THURSDAY, 4),
    observed(Date.UTC(year, 11, 25)),
  ];
  if (year >= 1986) days.push(nthWeekday(year, 1, MONDAY, 3));
  if (year >= 2021) days.push(observed(Date.UTC(year, 5, 19)));
  return new Set(days);
}

function newYear(year: number): number {
  return observed(Date.UTC(year, 0, 1));
}

function observed(day: number): number {
  const weekday = new Date(day).getUTCDay();
  if (weekday === 6) return day - DAY_MS;
  return weekday === 0 ? day + DAY_MS : day;
}

/** Returns the `nth` `weekday` (0 is Sunday) of `month` (1–12). */
function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  const first = Date.UTC(year, month - 1, 1);
  const ahead = (weekday - new Date(first).getUTCDay() + 7) % 7;
  return first + (ahead + 7 * (nth - 1)) * DAY_MS;
}

function lastMonday(year: number, month: number): number {
  const last = Date.UTC(year, month, 0);
  return last - ((new Date(last).getUTCDay() - MONDAY + 7) % 7) * DAY_MS;
}

/**
 * Returns Good Friday, two days before Gregorian Easter, by the anonymous computus (Meeus, Astronomical Algorithms, ch.
 * 8).
 */
function goodFriday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const leapShift = Math.floor((century + 8) / 25);
  const moonShift = Math.floor((century - leapShift + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - moonShift + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const position = epact + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(position / 31) - 1, (position % 31) + 1) - 2 * DAY_MS;
}
