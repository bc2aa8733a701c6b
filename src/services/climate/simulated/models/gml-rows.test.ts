import { expect, test } from "vitest";
import { annualRows, growthRows, methaneRows, monthlyRows, nitrousOxideRows } from "./gml-rows.js";

const NOW = Date.parse("2026-11-18T12:00:00Z");
const cellsOf = (row = ""): readonly number[] => row.trim().split(/ +/).map(Number);

test("monthly rows have sentinels before May 1974, and day counts and uncertainties from then on", () => {
  const rows = monthlyRows(NOW, 7);
  expect(rows[0]).toMatch(/^ 1958 {4}3 {3}1958\.2027 {6}\d{3}\.\d\d {6}\d{3}\.\d\d {5}-1 {3}-9\.99 {3}-0\.99$/);
  expect(rows[194]).toMatch(/^ 1974 {4}5 {3}1974\.3750 .* \d\.\d\d {4}\d\.\d\d$/);
  expect(cellsOf(rows.at(-1)).slice(0, 2)).toEqual([2026, 10]);
});

test("annual rows run to the last full year and grow by the growth rates", () => {
  const growth = new Map(growthRows(NOW, 7).map((row) => [cellsOf(row)[0], cellsOf(row)[1] ?? Number.NaN]));
  const means = annualRows(NOW, 7).map(cellsOf);
  expect([means[0]?.[0], means.at(-1)?.[0]]).toEqual([1979, 2025]);
  for (const [index, [year = 0, mean = 0]] of means.entries()) {
    const next = means[index + 1]?.[1];
    const half = ((growth.get(year) ?? 0) + (growth.get(year + 1) ?? 0)) / 2;
    if (next !== undefined) expect(Math.abs(next - mean - half)).toBeLessThan(0.4);
  }
});

test.each([
  ["methane", methaneRows, 1937],
  ["nitrous oxide", nitrousOxideRows, 340],
])("the rows of %s end near %i ppb, and the uncertainty of the last 15 months is unknown", (_, rows, ppb) => {
  const cells = rows(NOW, 7).map(cellsOf);
  const [year, month, , average = 0] = cells.at(-1) ?? [];
  expect([year, month]).toEqual([2026, 7]);
  expect(Math.abs(average - ppb) / ppb).toBeLessThan(0.002);
  expect(cells.filter(([, , , , unc, , trendUnc]) => unc === -9.99 && trendUnc === -9.99)).toEqual(cells.slice(-15));
});

test("a later clock changes no earlier mean", () => {
  const means = (now: number): readonly string[] => methaneRows(now, 7).map((row) => row.slice(0, 42));
  const before = means(NOW);
  expect(means(Date.parse("2027-11-18T00:00:00Z")).slice(0, before.length)).toEqual(before);
});
