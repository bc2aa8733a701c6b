import { DAY_MS } from "../../../../kit/clock.js";
import { dayAt, today } from "../../../../simulator/models/days.js";

/** Monthly files are released on the fifth. */
export function monthlyRelease(now: number): number {
  const { year, month } = dayAt(today(now - 4 * DAY_MS));
  return Date.UTC(year, month - 1, 5);
}

/** The last month in today's files, months since year 0; global series lag `lagMonths` behind Mauna Loa's. */
export function lastMonth(now: number, lagMonths: number): number {
  const { year, month } = dayAt(monthlyRelease(now));
  return year * 12 + month - 2 - lagMonths;
}

/** Values of a year are released on 11 April of the next year. */
export function yearlyRelease(now: number): number {
  const { year } = dayAt(today(now));
  const thisYears = Date.UTC(year, 3, 11);
  return now >= thisYears ? thisYears : Date.UTC(year - 1, 3, 11);
}

/** The years from `first` to the last one with an annual value. */
export function yearsFrom(first: number, now: number): readonly number[] {
  const last = dayAt(yearlyRelease(now)).year - 1;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
