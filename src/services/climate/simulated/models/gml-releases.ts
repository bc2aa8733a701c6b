import { DAY_MS } from "../../../../kit/clock.js";
import { dayAt, today } from "../../../../simulator/models/days.js";

/** Returns the time of the newest release of the monthly files, which are released on the fifth of each month. */
export function monthlyRelease(now: number): number {
  const { year, month } = dayAt(today(now - 4 * DAY_MS));
  return Date.UTC(year, month - 1, 5);
}

/**
 * Returns the last month of a series in today's files, as months since year 0. The series ends `lagMonths` months
 * before that of Mauna Loa.
 */
export function lastMonth(now: number, lagMonths: number): number {
  const { year, month } = dayAt(monthlyRelease(now));
  return year * 12 + month - 2 - lagMonths;
}

/**
 * Returns the time of the newest release of the yearly files. The value of a year is released on 11 April of the next
 * year.
 */
export function yearlyRelease(now: number): number {
  const { year } = dayAt(today(now));
  const thisYears = Date.UTC(year, 3, 11);
  return now >= thisYears ? thisYears : Date.UTC(year - 1, 3, 11);
}

/** Returns the years from `first` to the last one with an annual value. */
export function yearsFrom(first: number, now: number): readonly number[] {
  const last = dayAt(yearlyRelease(now)).year - 1;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
