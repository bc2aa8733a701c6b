import { expect, test } from "vitest";
import { curveDaysBy, TENOR_YEARS } from "./yield-curve.js";

const at = (iso: string): number => Date.parse(iso);

test("the yield curve begins on 2 January 1990 and has business days only", () => {
  const days = curveDaysBy(at("1990-01-16T23:00:00Z"), 1).map((day) => day.on);
  expect(days).toEqual([
    "1990-01-02",
    "1990-01-03",
    "1990-01-04",
    "1990-01-05",
    "1990-01-08",
    "1990-01-09",
    "1990-01-10",
    "1990-01-11",
    "1990-01-12",
    "1990-01-16",
  ]);
});

test("the curve of a day appears at 20:30 UTC", () => {
  expect(curveDaysBy(at("2024-03-13T20:29:59.999Z"), 1).at(-1)?.on).toBe("2024-03-12");
  expect(curveDaysBy(at("2024-03-13T20:30:00Z"), 1).at(-1)?.on).toBe("2024-03-13");
});

test("the curve up to 2001 is the beginning of the curve up to 2026, and another seed gives another curve", () => {
  const later = curveDaysBy(at("2026-06-01T00:00:00Z"), 2);
  const earlier = curveDaysBy(at("2001-06-01T00:00:00Z"), 2);
  expect(later.slice(0, earlier.length)).toEqual(earlier);
  expect(curveDaysBy(at("2001-06-01T00:00:00Z"), 3)).not.toEqual(earlier);
});

test.each([1, 2, 3, 4, 5])("with seed %i, yields are within 0–9 percent, and 30-year yields start above 7", (seed) => {
  const days = curveDaysBy(at("2026-12-31T23:00:00Z"), seed);
  const yields = days.flatMap((day) => day.yields);
  expect(days.length).toBeGreaterThan(9_000);
  expect(yields.length).toBe(days.length * TENOR_YEARS.length);
  expect(yields.every((percent) => percent >= 0 && percent <= 9)).toBe(true);
  expect(days[0]?.yields.at(-1)).toBeGreaterThan(7);
  expect(new Set(days.map((day) => day.yields[11])).size).toBeGreaterThan(100);
});

test("the curve is empty before 1990, and ends in 2100 even if the clock is later", () => {
  expect(curveDaysBy(at("1989-12-31T00:00:00Z"), 1)).toEqual([]);
  expect(curveDaysBy(at("9999-01-01T00:00:00Z"), 1).at(-1)?.on).toBe("2100-12-30");
});
