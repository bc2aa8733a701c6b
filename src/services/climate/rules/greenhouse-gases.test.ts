import { describe, expect, test } from "vitest";
import { co2Monitoring } from "../datasets/co2-monitoring.js";
import type { GasMean } from "../sources/greenhouse-gases.js";
import { co2MonitoringOf, type GasSeries, growthOf, yearAgoOf } from "./greenhouse-gases.js";

const on = (date: string, value: number): GasMean => ({ at: Date.parse(`${date}T00:00:00Z`), value });

const series: GasSeries = {
  daily: [on("2025-11-14", 424), on("2025-11-16", 425.5), on("2026-11-15", 427.31)],
  monthly: Array.from({ length: 14 }, (_, month) =>
    on(new Date(Date.UTC(2025, 8 + month)).toISOString().slice(0, 10), 420 + month / 10),
  ),
  annual: [
    { at: Date.UTC(2024, 0), globalMeanPpm: 422.79 },
    { at: Date.UTC(2025, 0), globalMeanPpm: 425.42 },
  ],
  methane: [on("2026-07-01", 1937.59)],
  nitrousOxide: [on("2026-07-01", 339.78)],
};

test("the record has the newest value of every series", () => {
  expect(co2MonitoringOf(series)).toMatchObject({
    currentPpm: 427.31,
    measuredAt: Date.UTC(2026, 10, 15),
    monthlyAverage: 421.3,
    yearAgoPpm: 424,
    annualGrowthRate: 2.63,
    methanePpb: 1937.59,
    nitrousOxidePpb: 339.78,
    preIndustrialBaseline: 280,
    station: "Mauna Loa",
  });
});

test("every value has the time of its observation", () => {
  const { annual: _annual, ...others } = series;
  const stationYear = { at: Date.UTC(2026, 0), stationGrowthPpm: 3 };
  const readings = { ...others, annual: [...series.annual, stationYear], methane: [on("2026-06-01", 1)] };
  const record = co2MonitoringOf(readings);
  expect(Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => name.endsWith("At")))).toEqual({
    measuredAt: Date.UTC(2026, 10, 15),
    monthlyAverageObservedAt: Date.UTC(2026, 9),
    yearAgoPpmObservedAt: Date.UTC(2025, 10, 14),
    annualGrowthRateObservedAt: Date.UTC(2026, 0),
    methanePpbObservedAt: Date.UTC(2026, 5),
    nitrousOxidePpbObservedAt: Date.UTC(2026, 6),
  });
  const [, ...later] = series.daily.slice(1);
  expect(co2MonitoringOf({ ...series, daily: later })).not.toHaveProperty("yearAgoPpmObservedAt");
});

test("each of the twelve months has its yearly change if the same month of the previous year is known", () => {
  const trend = co2MonitoringOf(series)?.trend12m ?? [];
  expect(trend.map(({ month }) => month)).toEqual([
    ..."11 12".split(" ").map((month) => `2025-${month}`),
    ..."01 02 03 04 05 06 07 08 09 10".split(" ").map((month) => `2026-${month}`),
  ]);
  expect(trend.filter(({ anomaly }) => anomaly !== undefined)).toEqual([
    { month: "2026-09", ppm: 421.2, anomaly: 1.2 },
    { month: "2026-10", ppm: 421.3, anomaly: 1.2 },
  ]);
});

test.each(["daily", "monthly", "annual", "methane", "nitrousOxide"] as const)(
  "there is no record if the series %s is empty",
  (name) => {
    expect(co2MonitoringOf({ ...series, [name]: [] })).toBeUndefined();
  },
);

describe("a year ago", () => {
  test.each([
    ["the value on the same date", "2026-11-16", 425.5],
    ["the value on the nearest day, or on the earlier one of two equally near days", "2026-11-15", 424],
    ["undefined if the previous year has no values", "2028-02-29", undefined],
  ])("the value of a year ago is %s", (_, today, value) => {
    expect(yearAgoOf(series.daily, Date.parse(`${today}T00:00:00Z`))?.value).toBe(value);
  });

  test("the value of a year ago must be from the previous calendar year", () => {
    const daily = [on("2024-12-31", 1), on("2025-06-01", 2)];
    expect(yearAgoOf(daily, Date.UTC(2026, 0, 1))?.value).toBe(2);
    expect(yearAgoOf(daily, Date.UTC(2028, 0, 1))).toBeUndefined();
  });
});

describe("growth", () => {
  test("growth is the station's own figure if the newest year has no global mean", () => {
    expect(
      growthOf([
        { at: Date.UTC(2024, 0), globalMeanPpm: 1 },
        { at: Date.UTC(2025, 0), stationGrowthPpm: -0.3 },
      ]),
    ).toEqual({ at: Date.UTC(2025, 0), value: -0.3 });
  });

  test("growth is that of an earlier year if the year before the newest has no global mean, and the dataset is partial", () => {
    const annual = [
      { at: Date.UTC(2022, 0), globalMeanPpm: 417.08 },
      { at: Date.UTC(2023, 0), globalMeanPpm: 419.36 },
      { at: Date.UTC(2025, 0), globalMeanPpm: 425.42 },
    ];
    const readings = { ...series, annual };
    expect(co2MonitoringOf(readings)).toEqual({
      ...co2MonitoringOf(series),
      annualGrowthRate: 2.28,
      annualGrowthRateObservedAt: Date.UTC(2023, 0),
    });
    expect(co2Monitoring.gate(readings)).toBeUndefined();
    expect(co2Monitoring.lacking?.(readings)).toContain("the growth of the newest year is unknown");
    expect(co2Monitoring.lacking?.(series)).toBeUndefined();
  });

  test.each([[[]], [[{ at: 0, globalMeanPpm: 1 }]]])("a build without a known growth is refused", (annual) => {
    expect(co2Monitoring.gate({ ...series, annual })).toBe("a file without values, or no growth of any year");
  });

  test("growth is unknown with a single global mean", () => {
    expect(growthOf([{ at: 0, globalMeanPpm: 1 }])).toBeUndefined();
    expect(growthOf([])).toBeUndefined();
  });
});
