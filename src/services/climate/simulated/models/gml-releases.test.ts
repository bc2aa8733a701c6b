import { expect, test } from "vitest";
import { lastMonth, monthlyRelease, yearlyRelease, yearsFrom } from "./gml-releases.js";

const at = (day: string): number => Date.parse(`${day}T12:00:00Z`);
const month = (year: number, number: number): number => year * 12 + number - 1;

test.each([
  ["2026-11-18", 2026, 10],
  ["2026-11-05", 2026, 10],
  ["2026-11-04", 2026, 9],
  ["2026-01-05", 2025, 12],
  ["2026-01-04", 2025, 11],
])("on %s the last month of the Mauna Loa series is %i-%i", (day, year, number) => {
  expect(lastMonth(at(day), 0)).toBe(month(year, number));
  expect(monthlyRelease(at(day))).toBe(Date.UTC(year, number, 5));
});

test("the global series end three months before Mauna Loa's: in August 2026, their last month is April", () => {
  expect(lastMonth(at("2026-08-05"), 3)).toBe(month(2026, 4));
});

test.each([
  ["2026-04-10", 2024, Date.UTC(2025, 3, 11)],
  ["2026-04-11", 2025, Date.UTC(2026, 3, 11)],
])("on %s the last year of the yearly series is %i", (day, year, released) => {
  expect(yearsFrom(1979, at(day)).at(-1)).toBe(year);
  expect(yearlyRelease(at(day))).toBe(released);
});
