import { expect, test } from "vitest";
import { absent, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import type { RecentWeather, ZoneNormals } from "../rules/anomaly.js";
import { zones } from "../rules/zones.js";
import { listClimateAnomalies } from "./list-climate-anomalies.js";

const [first, second, third] = zones.map(({ id }) => id) as [string, string, string];
const names = zones.map(({ name }) => name);

const week = (zone: string): RecentWeather => ({
  zone,
  firstDay: Date.UTC(2026, 10, 10),
  lastDay: Date.UTC(2026, 10, 16),
  temperatureC: 14,
  precipitationMm: 1,
});
const normals = (zone: string): ZoneNormals => ({
  zone,
  latitude: 0,
  longitude: 0,
  months: Array.from({ length: 12 }, () => ({ temperatureC: 10, precipitationMm: 1 })),
});

const recent = snapshotOf(new Map([second, first].map((zone) => [zone, week(zone)])));
const stored = snapshotOf(new Map([third, second, first].map((zone) => [zone, normals(zone)])));
const nothing = { anomalies: [], pagination: { nextCursor: "", totalCount: 0 } };

test("list-climate-anomalies has one row for each zone with recent weather and normals, in the order of the zones", () => {
  expect(storedAnswerOf(listClimateAnomalies, "", { recent, normals: stored })).toMatchObject({
    anomalies: [
      { zone: names[0], period: "2026-11-10 to 2026-11-16", tempDelta: 4, precipDelta: 0 },
      { zone: names[1], tempDelta: 4, severity: "ANOMALY_SEVERITY_MODERATE", type: "ANOMALY_TYPE_WARM" },
    ],
    pagination: { nextCursor: "", totalCount: 2 },
  });
});

test("list-climate-anomalies is empty while the recent weather or the normals are absent", () => {
  expect(storedAnswerOf(listClimateAnomalies, "", { recent, normals: absent })).toEqual(nothing);
  expect(storedAnswerOf(listClimateAnomalies, "", { recent: absent, normals: stored })).toEqual(nothing);
});

test("list-climate-anomalies accepts and ignores `min_severity`", () => {
  const snapshots = { recent, normals: stored };
  expect(storedAnswerOf(listClimateAnomalies, "min_severity=ANOMALY_SEVERITY_EXTREME", snapshots)).toEqual(
    storedAnswerOf(listClimateAnomalies, "", snapshots),
  );
});
