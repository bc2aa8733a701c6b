import { expect, test } from "vitest";
import { co2Level, co2Season, methaneLevel, nitrousOxideLevel } from "./greenhouse-gas.js";

const NOVEMBER_2026 = 2026.88;

test.each([1, 7, 42])("CO2 with seed %i is near 429 ppm in late 2026, or 427 ppm with the seasonal cycle", (seed) => {
  const level = co2Level(seed)(NOVEMBER_2026);
  expect(Math.abs(level - 429)).toBeLessThan(1);
  expect(Math.abs(level + co2Season(NOVEMBER_2026) - 427)).toBeLessThan(1);
});

test("CO2 is highest in May and lowest at the end of September", () => {
  const weeks = Array.from({ length: 52 }, (_, week) => co2Season(week / 52));
  expect(weeks.indexOf(Math.max(...weeks)) / 52).toBeCloseTo(0.38, 1);
  expect(weeks.indexOf(Math.min(...weeks)) / 52).toBeCloseTo(0.74, 1);
});

test.each([
  [1983.5, 1635],
  [2003, 1774.5],
  [2023, 1918],
  [2027.5, 1950.1],
])("methane in %d is interpolated between listed years, or extrapolated after the last one", (year, ppb) => {
  expect(methaneLevel(year)).toBeCloseTo(ppb, 0);
});

test("nitrous oxide is 316 ppb in 2001 and 340 ppb in mid-2026", () => {
  expect(nitrousOxideLevel(2001)).toBe(316);
  expect(nitrousOxideLevel(2026.55)).toBeCloseTo(340, 0);
});
