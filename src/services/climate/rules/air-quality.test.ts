import { describe, expect, test } from "vitest";
import type { AirQualityStation } from "../records.js";
import { aqiOfPm25, riskLevelOf, worstFirst } from "./air-quality.js";

describe("the index of a PM2.5 concentration", () => {
  test.each([
    [0, 0],
    [6, 25],
    [12, 50],
    [12.09, 50],
    [12.1, 51],
    [35.4, 100],
    [35.49, 100],
    [35.5, 101],
    [55.4, 150],
    [55.5, 151],
    [150.4, 200],
    [150.5, 201],
    [250.4, 300],
    [250.5, 301],
    [350.4, 400],
    [350.5, 401],
    [500.4, 500],
    [500.5, 500],
    [999, 500],
  ])("%d µg/m³ has the index %d", (concentration, aqi) => {
    expect(aqiOfPm25(concentration)).toBe(aqi);
  });

  test("a concentration is truncated to a tenth of a microgram, without binary rounding errors", () => {
    for (let tenths = 0; tenths <= 5_010; tenths += 1) {
      const aqi = aqiOfPm25(tenths / 10);
      for (const rest of [0.03, 0.06, 0.099]) expect(aqiOfPm25(tenths / 10 + rest)).toBe(aqi);
      // A difference such as 1.2 - 0.1 = 1.0999999999999999 is slightly below its tenth.
      expect(aqiOfPm25((tenths + 1) / 10 - 0.1)).toBe(aqi);
    }
  });

  test("the index never falls as the concentration rises", () => {
    const indices = Array.from({ length: 6_000 }, (_, step) => aqiOfPm25(step / 10));
    expect(indices).toEqual(indices.toSorted((a, b) => a - b));
  });
});

test.each([
  [0, "good"],
  [50, "good"],
  [51, "moderate"],
  [100, "moderate"],
  [101, "unhealthy"],
  [300, "unhealthy"],
  [301, "hazardous"],
])("an index of %d is %s", (aqi, level) => {
  expect(riskLevelOf(aqi)).toBe(level);
});

test("the worst air comes first, and equal values are sorted by name", () => {
  const station = (city: string, aqi: number): AirQualityStation => ({
    city,
    aqi,
    riskLevel: riskLevelOf(aqi),
    measuredAt: 0,
    source: "x",
  });
  const sorted = worstFirst([station("b", 10), station("c", 200), station("a", 10)]);
  expect(sorted.map(({ city }) => city)).toEqual(["c", "a", "b"]);
});
