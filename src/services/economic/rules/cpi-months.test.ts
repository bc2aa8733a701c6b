import { expect, test } from "vitest";
import type { IndexPoint } from "../records.js";
import { cpiMonths, percentChange } from "./cpi-months.js";

const point = (year: number, month: number, index: number): IndexPoint => ({ month: Date.UTC(year, month - 1), index });
const none = { headline: [], core: [], food: [], energy: [], shelter: [], services: [] };

test("months come oldest first, regardless of the order of the points", () => {
  const months = cpiMonths({ ...none, headline: [point(2026, 2, 2), point(2026, 1, 1)], core: [point(2025, 12, 3)] });
  expect(months.map(({ month }) => month)).toEqual(
    [2025, 2026, 2026].map((year, at) => Date.UTC(year, at === 0 ? 11 : at - 1)),
  );
});

test("a component without a value in a month is absent from that month", () => {
  expect(cpiMonths({ ...none, headline: [point(1950, 1, 23.5)] })).toEqual([
    { month: Date.UTC(1950, 0), headline: { index: 23.5 } },
  ]);
});

test("changes compare calendar months, so a month that was never collected leaves a gap and does not shift the others", () => {
  const headline = [
    point(2024, 11, 300),
    point(2025, 9, 310),
    point(2025, 11, 312),
    point(2025, 12, 315),
    point(2026, 10, 320),
  ];
  const byMonth = new Map(cpiMonths({ ...none, headline }).map((month) => [month.month, month.headline]));
  const november = byMonth.get(Date.UTC(2025, 10));
  expect(november).not.toHaveProperty("monthOverMonth");
  expect(november?.yearOverYear?.percent).toBe(4);
  expect(byMonth.get(Date.UTC(2025, 11))?.monthOverMonth?.percent).toBe(0.9615);
  expect(byMonth.get(Date.UTC(2026, 9))).toEqual({ index: 320 });
});

test.each([
  [110, 100, 10],
  [100, 100, 0],
  [99, 100, -1],
  [101.23456, 100, 1.2346],
  [100.00004, 100, 0],
  [333.333, 300, 11.111],
])("an index of %d after a base of %d is a change of %d percent, rounded to 4 decimals", (current, base, percent) => {
  expect(percentChange(current, base)).toBe(percent);
});
