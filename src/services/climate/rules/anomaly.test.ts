import { describe, expect, test } from "vitest";
import { anomaliesOf, type RecentWeather, severityOf, typeOf, type ZoneNormals } from "./anomaly.js";

describe("severity", () => {
  test.each([
    [0, 0, "NORMAL"],
    [2.9, 5.9, "NORMAL"],
    [-2.9, -5.9, "NORMAL"],
    [3, 0, "MODERATE"],
    [-3, 0, "MODERATE"],
    [0, 6, "MODERATE"],
    [0, -6, "MODERATE"],
    [4.9, 11.9, "MODERATE"],
    [5, 0, "EXTREME"],
    [-5, 0, "EXTREME"],
    [0, 12, "EXTREME"],
    [0, -12, "EXTREME"],
  ])("a deviation of %d °C and %d mm/day is %s", (temperature, precipitation, severity) => {
    expect(severityOf(temperature, precipitation)).toBe(`ANOMALY_SEVERITY_${severity}`);
  });
});

describe("type", () => {
  test.each([
    // Temperature outweighs precipitation if its deviation in °C is at least a third of the deviation in mm/day.
    [3.1, 9.3, "WARM"],
    [3.1, 9.4, "WET"],
    [3.1, 0, "WARM"],
    [-3.1, 0, "COLD"],
    [1.1, -3.1, "MIXED"],
    [1.4, -4.2, "MIXED"],
    [1.1, -3, "WARM"],
    [5, -3.1, "MIXED"],
    [-5, -3.1, "COLD"],
    [1, -3.1, "WARM"],
    [0.5, 6.1, "WET"],
    [0.5, 6, "WARM"],
    [-0.5, -6.1, "DRY"],
    [-0.5, -6, "COLD"],
    [0.5, -6.1, "DRY"],
    [3, 0, "WARM"],
    [-3, 0, "COLD"],
    [0.1, 0, "WARM"],
    [-0.1, 0, "COLD"],
    [0, 0, "UNSPECIFIED"],
  ])("a deviation of %d °C and %d mm/day is %s", (temperature, precipitation, type) => {
    expect(typeOf(temperature, precipitation)).toBe(`ANOMALY_TYPE_${type}`);
  });
});

const weather = (zone: string, values: Partial<RecentWeather> = {}): [string, RecentWeather] => [
  zone,
  {
    zone,
    firstDay: Date.UTC(2026, 9, 28),
    lastDay: Date.UTC(2026, 10, 3),
    temperatureC: 10,
    precipitationMm: 2,
    ...values,
  },
];
const normals = (zone: string): [string, ZoneNormals] => [
  zone,
  {
    zone,
    latitude: 0,
    longitude: 0,
    months: Array.from({ length: 12 }, (_, month) => ({ temperatureC: month, precipitationMm: 1.25 })),
  },
];

test("a zone's seven days are compared with the normals of the month in which they end", () => {
  const anomalies = anomaliesOf(new Map([weather("ukraine")]), new Map([normals("ukraine")]));
  expect(anomalies).toEqual([
    {
      zone: "Ukraine",
      period: "2026-10-28 to 2026-11-03",
      location: { latitude: 48.4, longitude: 31.2 },
      tempDelta: 0,
      precipDelta: 0.8,
      severity: "ANOMALY_SEVERITY_NORMAL",
      type: "ANOMALY_TYPE_UNSPECIFIED",
    },
  ]);
});

test("a zone without recent weather or without normals is left out; the others keep the order of the zones", () => {
  const recent = new Map([weather("arctic"), weather("europe"), weather("sahel")]);
  const normalsByZone = new Map([normals("arctic"), normals("europe"), normals("ukraine")]);
  expect(anomaliesOf(recent, normalsByZone).map(({ zone }) => zone)).toEqual(["Europe", "Arctic"]);
});

test("deltas are rounded before they are rated, and zero has no minus sign", () => {
  const recent = new Map([weather("europe", { temperatureC: 14.96, precipitationMm: 1.21 })]);
  const [anomaly] = anomaliesOf(recent, new Map([normals("europe")]));
  expect(anomaly).toMatchObject({ tempDelta: 5, severity: "ANOMALY_SEVERITY_EXTREME" });
  expect(Object.is(anomaly?.precipDelta, 0)).toBe(true);
});
