import { describe, expect, test } from "vitest";
import type { IceExtent } from "../sources/nsidc.js";
import { arcticIceOf, arcticTrendOf } from "./sea-ice.js";

const on = (date: string, extentMkm2: number): IceExtent => ({ day: Date.parse(`${date}T00:00:00Z`), extentMkm2 });

describe("the trend of a day", () => {
  const earlier = [on("2024-09-10", 4), on("2025-09-10", 5)];
  const newest = (extent: number): IceExtent => on("2026-09-10", extent);
  const trend = (extent: number, anomaly: number | undefined) =>
    arcticTrendOf(newest(extent), [...earlier, on("2026-01-01", 1), newest(extent)], anomaly);

  test.each([
    [3.999, -2, "record_low"],
    [4, -2, "record_low"],
    [4.001, -2, "below_average"],
    [4.5, -0.5, "below_average"],
    [4.5, -0.499, "average"],
    [4.5, 0.499, "average"],
    [4.5, 0.5, "above_average"],
    [3.9, 0.5, "record_low"],
  ])("an extent of %d with a difference of %d from the median is %s", (extent, anomaly, expected) => {
    expect(trend(extent, anomaly)).toBe(expected);
  });

  test("a single year cannot set a record", () => {
    expect(arcticTrendOf(newest(1), [newest(1)], -3)).toBe("below_average");
    expect(arcticTrendOf(newest(1), [on("2025-09-10", 2), newest(1)], -3)).toBe("record_low");
  });

  test("a day without a median has the trend `record_low` or none", () => {
    expect(trend(4.5, undefined)).toBeUndefined();
    expect(trend(3, undefined)).toBe("record_low");
  });
});

test("each of the twelve months has the extent of its last measured day and the difference from that day's median", () => {
  const extents = [
    ...Array.from({ length: 14 }, (_, month) => on(new Date(Date.UTC(2024, month, 10)).toISOString().slice(0, 10), 10)),
    on("2025-02-27", 11),
    on("2025-03-01", 12.345),
  ];
  const ice = arcticIceOf(extents, [
    { dayOfYear: 58, medianMkm2: 11.5 },
    { dayOfYear: 60, medianMkm2: 12 },
  ]);
  expect(ice.iceTrend12m?.map(({ month }) => month)).toEqual([
    ..."04 05 06 07 08 09 10 11 12".split(" ").map((month) => `2024-${month}`),
    ..."01 02 03".split(" ").map((month) => `2025-${month}`),
  ]);
  expect(ice.iceTrend12m?.slice(-2)).toEqual([
    { month: "2025-02", extentMkm2: 11, anomalyMkm2: -0.5 },
    { month: "2025-03", extentMkm2: 12.345, anomalyMkm2: 0.345 },
  ]);
  expect(ice).toMatchObject({ arcticExtentMkm2: 12.345, arcticExtentAnomalyMkm2: 0.345, arcticTrend: "average" });
});

test("the day of the year counts the leap day", () => {
  const median = [
    { dayOfYear: 60, medianMkm2: 14 },
    { dayOfYear: 61, medianMkm2: 15 },
  ];
  expect(arcticIceOf([on("2024-03-01", 15)], median).arcticExtentAnomalyMkm2).toBe(0);
  expect(arcticIceOf([on("2025-03-01", 15)], median).arcticExtentAnomalyMkm2).toBe(1);
});

test("without extents, the answer has no ice values", () => {
  expect(arcticIceOf([], [{ dayOfYear: 1, medianMkm2: 14 }])).toEqual({});
});
