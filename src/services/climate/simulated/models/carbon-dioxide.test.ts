import { expect, test } from "vitest";
import { DAY_MS } from "../../../../kit/clock.js";
import { recording, recordingsAbsent } from "../../../../simulator/testing/harness.js";
import { co2Days, co2Months } from "./carbon-dioxide.js";

const NOW = Date.parse("2026-11-18T12:00:00Z");
const OCTOBER = 2026 * 12 + 9;

test("the daily record runs from 19 May 1974 to yesterday; some days are missing, and a few days have no value", () => {
  const days = co2Days(NOW, 7);
  expect([days[0]?.at, days.at(-1)?.at]).toEqual([Date.UTC(1974, 4, 19), Date.UTC(2026, 10, 17)]);
  expect(days.every(({ at }, index) => at > (days[index - 1]?.at ?? 0))).toBe(true);
  expect(days.length).toBeLessThan((Date.UTC(2026, 10, 18) - Date.UTC(1974, 4, 19)) / DAY_MS);
  expect(days.length).toBeGreaterThan(14_000);
  const unknown = days.filter(({ ppm }) => ppm === null).length;
  expect([unknown > 5, unknown < 100]).toEqual([true, true]);
});

test("a later clock adds days but changes none, and another seed gives other values", () => {
  const later = co2Days(NOW + 40 * DAY_MS, 7);
  const now = co2Days(NOW, 7);
  expect(later.length).toBeGreaterThan(now.length);
  expect(later.filter(({ at }) => at < Date.UTC(2026, 10, 18))).toEqual(now);
  expect(co2Days(NOW, 8)).not.toEqual(now);
});

test("the average of a month is the mean of its days, adjusted to the middle of the month", () => {
  const days = co2Days(NOW, 7);
  const months = co2Months(OCTOBER, 7).filter(({ year }) => year >= 1980);
  expect(months.length).toBe((2026 - 1980) * 12 + 10);
  for (const { year, month, averagePpm, days: dayCount } of months) {
    const values = days.flatMap((day) => (day.year === year && day.month === month ? (day.ppm ?? []) : []));
    expect(values.length).toBe(dayCount?.count);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(mean - averagePpm)).toBeLessThan(0.5);
  }
});

test("months before the daily record, and December 1975, have no days", () => {
  const without = co2Months(OCTOBER, 7).filter(({ days }) => days === undefined);
  expect(without.map(({ year, month }) => `${year}-${month}`).slice(-2)).toEqual(["1974-4", "1975-12"]);
  expect(without.length).toBe(16 * 12 + 3);
});

test.skipIf(recordingsAbsent)("every month is within 3 ppm of the recording", () => {
  const recorded = recording("noaa-gml/co2_mm_mlo.txt").match(/^ \d{4}.*$/gm) ?? [];
  const months = co2Months(OCTOBER, 7);
  const distances = recorded.map((row, index) => Math.abs(Number(row.trim().split(/ +/)[3]) - averageOf(index)));
  function averageOf(index: number): number {
    return months[index]?.averagePpm ?? Number.NaN;
  }
  expect(distances.length).toBeGreaterThan(800);
  expect(Math.max(...distances)).toBeLessThan(3);
});
