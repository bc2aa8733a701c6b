import { expect, test } from "vitest";
import { indexMonthsBy, monthNumber, type PriceSeries } from "./price-index.js";

const at = (iso: string): number => Date.parse(iso);
const calm: PriceSeries = { id: "CALM", firstMonth: monthNumber(1957, 1), startLevel: 20, spread: 0, surprise: 0.1 };
const wild: PriceSeries = { ...calm, id: "WILD", surprise: 2 };

test("the price index begins in its first month at its start level", () => {
  const [first, second] = indexMonthsBy(at("1990-01-01T00:00:00Z"), 1, calm);
  expect(first).toMatchObject({ on: "1957-01-01", level: 20 });
  expect(second?.on).toBe("1957-02-01");
});

test("a month's level is published on the 12th of the following month at 12:30 UTC", () => {
  expect(indexMonthsBy(at("2024-03-12T12:29:59.999Z"), 1, calm).at(-1)?.on).toBe("2024-01-01");
  expect(indexMonthsBy(at("2024-03-12T12:30:00Z"), 1, calm).at(-1)?.on).toBe("2024-02-01");
});

test("October 2025 is the only month without an index level", () => {
  const months = indexMonthsBy(at("2027-01-01T00:00:00Z"), 1, calm);
  expect(months.filter((month) => month.level === null).map((month) => month.on)).toEqual(["2025-10-01"]);
});

test("a month's level depends on seed and series, not on the current time", () => {
  const earlier = indexMonthsBy(at("2000-01-01T00:00:00Z"), 4, calm);
  expect(indexMonthsBy(at("2026-01-01T00:00:00Z"), 4, calm).slice(0, earlier.length)).toEqual(earlier);
  expect(indexMonthsBy(at("2000-01-01T00:00:00Z"), 5, calm)).not.toEqual(earlier);
  expect(indexMonthsBy(at("2000-01-01T00:00:00Z"), 4, wild)).not.toEqual(earlier);
});

test.each([1, 2, 3, 4, 5])("with seed %i, prices grow plausibly and vary more in a volatile series", (seed) => {
  const now = at("2026-01-15T00:00:00Z");
  const growth = (series: PriceSeries): readonly number[] => {
    const levels = indexMonthsBy(now, seed, series).flatMap(({ level }) => level ?? []);
    return levels.slice(1).map((level, index) => Math.log(level / (levels[index] ?? level)));
  };
  const total = growth(calm).reduce((sum, step) => sum + step, 0);
  expect(Math.exp(total)).toBeGreaterThan(3);
  expect(Math.exp(total)).toBeLessThan(60);
  expect(spreadOf(growth(wild))).toBeGreaterThan(4 * spreadOf(growth(calm)));
});

function spreadOf(steps: readonly number[]): number {
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  return Math.sqrt(steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / steps.length);
}
