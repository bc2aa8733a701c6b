import { expect, test } from "vitest";
import { recording, recordingsAbsent, started } from "../../../simulator/testing/harness.js";

const NOW = "2026-11-18T12:00:00Z";
const FOLDER = "https://noaadata.apps.nsidc.org/NOAA/G02135/north/daily/data";
const DAILY = `${FOLDER}/N_seaice_extent_daily_v4.0.csv`;
const CLIMATOLOGY = `${FOLDER}/N_seaice_extent_climatology_1981-2010_v4.0.csv`;
const linesOf = (csv: string): readonly string[] => csv.trimEnd().split("\n");
/** Returns the layout of a row: digits become 0, and the list of files becomes one pair of empty quotes. */
const shapeOf = (row: string): string =>
  row
    .replace(/'[^']*'/g, "''")
    .replace(/('', )+/, "")
    .replace(/\d/g, "0");

test("daily rows have padded cells and a list of files, which is quoted if it contains commas", async () => {
  const [names, units, ...rows] = linesOf(await (await started(NOW)).text(DAILY));
  expect(names).toBe("Year, Month, Day,     Extent,    Missing, Source Data");
  expect(units).toMatch(/^YYYY, {4}MM, {2}DD, 10\^6 sq km, 10\^6 sq km, Source data product/);
  const layout = /^\d{4}, {4}\d\d, {2}\d\d, {5}[ \d]\d\.\d{3}, {6}0\.000,( \['[^',]*'\]|"\['[^',]*', '[^',]*'\]")$/;
  expect(rows.length).toBeGreaterThan(15_800);
  expect(rows.filter((row) => !layout.test(row))).toEqual([]);
  expect([rows[0]?.slice(0, 16), rows.at(-1)?.slice(0, 16)]).toEqual(["1978,    10,  26", "2026,    11,  17"]);
});

test.skipIf(recordingsAbsent)("daily rows have the recording's header and layouts", async () => {
  const [names, units, ...real] = linesOf(recording("nsidc-sea-ice/N_seaice_extent_daily_v4.0.csv"));
  const [ourNames, ourUnits, ...rows] = linesOf(await (await started(NOW)).text(DAILY));
  expect([ourNames, ourUnits]).toEqual([names, units]);
  const realShapes = new Set(real.map(shapeOf));
  expect(rows.filter((row) => !realShapes.has(shapeOf(row)))).toEqual([]);
});

test("the climatology has one line above its header, and 366 rows whose day numbers have three digits", async () => {
  const [title, header, ...rows] = linesOf(await (await started(NOW)).text(CLIMATOLOGY));
  expect(title).not.toMatch(/^DOY/);
  expect(header?.split(",").map((name) => name.trim())).toEqual([
    "DOY",
    "Average Extent",
    "Std Deviation",
    "10th",
    "25th",
    "50th",
    "75th",
    "90th",
  ]);
  expect([rows.length, rows[0]?.slice(0, 4), rows[365]?.slice(0, 4)]).toEqual([366, "001,", "366,"]);
  for (const row of rows) {
    const [, , , p10 = 0, p25 = 0, p50 = 0, p75 = 0, p90 = 0] = row.split(",").map(Number);
    expect(p10 < p25 && p25 < p50 && p50 < p75 && p75 < p90).toBe(true);
  }
});

test.skipIf(recordingsAbsent)("each day's median is within 0.7 million km² of the recorded median", async () => {
  const medians = (csv: string): readonly number[] =>
    linesOf(csv)
      .filter((row) => /^\d/.test(row))
      .map((row) => Number(row.split(",")[5]));
  const real = medians(recording("nsidc-sea-ice/N_seaice_extent_climatology_1981-2010_v3.0.csv"));
  const ours = medians(await (await started(NOW)).text(CLIMATOLOGY));
  expect(ours.length).toBe(real.length);
  expect(Math.max(...ours.map((median, index) => Math.abs(median - (real[index] ?? 0))))).toBeLessThan(0.7);
});

test("a request with the ETag of the daily file gets 304 on the same day and 200 on the next", async () => {
  const simulator = await started(NOW);
  const etag = (await simulator.get(DAILY)).headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]{27}"$/);
  expect((await simulator.get(DAILY, { "If-None-Match": etag })).status).toBe(304);
  simulator.clock.set(Date.parse("2026-11-19T00:00:00Z"));
  expect((await simulator.get(DAILY, { "If-None-Match": etag })).status).toBe(200);
});

test.each([DAILY, CLIMATOLOGY])("simulated faults break the file at %s", async (url) => {
  const simulator = await started(NOW);
  const healthy = linesOf(await simulator.text(url));
  const broken = async (kind: "changed" | "empty" | "bad-row"): Promise<readonly string[]> => {
    simulator.faults.set({ upstream: "nsidc" }, { kind });
    return linesOf(await simulator.text(url));
  };
  expect(await broken("empty")).toEqual(healthy.slice(0, 2));
  const changed = await broken("changed");
  expect(changed.slice(2)).toEqual(healthy.slice(2));
  expect(changed.slice(0, 2)).not.toEqual(healthy.slice(0, 2));
  const spoilt = await broken("bad-row");
  expect(spoilt.length).toBe(healthy.length);
  expect(spoilt.filter((line, index) => line !== healthy[index])).toEqual([expect.stringContaining("abc")]);
});
