import { expect, test } from "vitest";
import { DAY_MS } from "../../../../kit/clock.js";
import { recording, recordingsAbsent } from "../../../../simulator/testing/harness.js";
import { iceDays, normalExtent } from "./sea-ice.js";

const NOW = Date.parse("2026-11-18T12:00:00Z");

const gapsOf = (dates: readonly string[]): readonly string[] =>
  dates.flatMap((date, index) => {
    const before = dates[index - 1] ?? date;
    const days = (Date.parse(date) - Date.parse(before)) / DAY_MS;
    return days > 2 || (days === 2 && date > "1987-08-20") ? [`${before} ${date}`] : [];
  });

test("sea ice days run from 1978 to yesterday, except the outage of 1987 and the end of this year's January", () => {
  const dates = iceDays(NOW, 7).map(({ on }) => on);
  expect([dates[0], dates[1], dates.at(-1)]).toEqual(["1978-10-26", "1978-10-28", "2026-11-17"]);
  expect(gapsOf(dates)).toEqual(["1987-12-02 1988-01-13", "2026-01-28 2026-02-01"]);
});

test.skipIf(recordingsAbsent)("sea ice days match the recorded days up to the end of 2025", () => {
  const recorded = recording("nsidc-sea-ice/N_seaice_extent_daily_v4.0.csv").match(/^\d{4},.{12}/gm) ?? [];
  const expected = recorded.map((row) => row.replace(/[ ]/g, "").split(",").slice(0, 3).join("-"));
  const before = (on: string): boolean => on < "2026";
  expect(iceDays(NOW, 7).flatMap(({ on }) => (before(on) ? on : []))).toEqual(expected.filter(before));
});

test("in the next year, days are added, the gap in January is filled, and no other day changes", () => {
  const now = iceDays(NOW, 7);
  const later = iceDays(NOW + 60 * DAY_MS, 7);
  const days = new Set(now.map(({ on }) => on));
  expect(later.filter(({ on }) => days.has(on))).toEqual(now);
  expect(later.length - now.length).toBe(60 + 3);
  expect(iceDays(NOW, 8)).not.toEqual(now);
});

test("sea ice peaks in March, is lowest in September, and declines from 1990 to 2020", () => {
  const days = Array.from({ length: 365 }, (_, index) => normalExtent(2020, index + 1));
  const dayOf = (extent: number): number => days.indexOf(extent) + 1;
  expect(Math.abs(dayOf(Math.max(...days)) - 70)).toBeLessThan(15);
  expect(Math.abs(dayOf(Math.min(...days)) - 256)).toBeLessThan(15);
  expect(normalExtent(2020, 256)).toBeLessThan(normalExtent(1990, 256) - 1);
  expect(iceDays(NOW, 7).every(({ extent }) => extent > 2 && extent < 17)).toBe(true);
});
