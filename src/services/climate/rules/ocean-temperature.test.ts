import { expect, test } from "vitest";
import type { OceanTemperature } from "../sources/ncei.js";
import { sstAnomalyOf } from "./ocean-temperature.js";

const year = (y: number, month: number, anomalyC: number): OceanTemperature => ({
  month: Date.UTC(y, month),
  anomalyC,
});
const base = Array.from({ length: 30 }, (_, index) => [
  year(1971 + index, 8, -0.4),
  year(1971 + index, 9, -0.3),
]).flat();

test("the newest month is compared with the mean of the same month in 1971-2000", () => {
  expect(sstAnomalyOf([...base, year(2026, 8, 0.5)])).toBe(0.9);
  expect(sstAnomalyOf([...base, year(2026, 9, 0.5)])).toBe(0.8);
});

test("other years and other months are ignored", () => {
  expect(sstAnomalyOf([year(1970, 9, 99), ...base, year(2001, 9, 99), year(2026, 9, 0.5)])).toBe(0.8);
});

test("the difference is undefined unless the series has the month in each of the thirty years over which the mean is taken", () => {
  expect(sstAnomalyOf([...base.slice(2), year(2026, 9, 0.5)])).toBeUndefined();
  expect(sstAnomalyOf([])).toBeUndefined();
});
