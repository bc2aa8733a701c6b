import { expect, test } from "vitest";
import { started } from "../../../simulator/testing/harness.js";

const NOW = "2026-11-18T12:00:00Z";
const HEAT =
  "https://www.ncei.noaa.gov/data/oceans/woa/DATA_ANALYSIS/3M_HEAT_CONTENT/DATA/basin/yearly/h22-w0-700m.dat";
const VERSIONS = "https://www.ncei.noaa.gov/data/noaa-global-surface-temperature/";
const FOLDER = `${VERSIONS}v6.1/access/timeseries/`;
const series = (kind: string, month: string): string => `${FOLDER}aravg.mon.${kind}.90S.90N.v6.1.0.${month}.asc`;
const linesOf = (text: string): readonly string[] => text.trimEnd().split("\n");
const cellsOf = (row: string): readonly number[] => row.trim().split(/ +/).map(Number);
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

test("ocean heat has a row for each year from 1955 to last year, with the world in the second column", async () => {
  const [header, ...rows] = linesOf(await (await started(NOW)).text(HEAT));
  expect(header?.split(/ +/)).toEqual(["YEAR", "WO", "WOse", "NH", "NHse", "SH", "SHse"]);
  expect(rows.filter((row) => !/^\d{4}\.500( +-?\d+\.\d{3}){6}$/.test(row))).toEqual([]);
  expect([rows[0]?.slice(0, 8), rows.at(-1)?.slice(0, 8), rows.length]).toEqual(["1955.500", "2025.500", 71]);
  expect(cellsOf(rows.at(-1) ?? "")[1]).toBeGreaterThan(20);
});

test("the list of versions contains superseded versions, and one version that has no files yet", async () => {
  const simulator = await started(NOW);
  const page = await simulator.text(VERSIONS);
  expect([...page.matchAll(/<a href="(v[^"]*)">/g)].map(([, name]) => name)).toEqual([
    "v5.1/",
    "v6/",
    "v6.1/",
    "v6.2/",
  ]);
  expect((await simulator.get(FOLDER.replace("v6.1", "v6.2"))).status).toBe(404);
});

test("the folder lists each series' files for the last two months, among links that are not files", async () => {
  const page = await (await started(NOW)).text(FOLDER);
  const names = [...page.matchAll(/<a href="(aravg[^"]*)">/g)].map(([, name = ""]) => FOLDER + name);
  expect(names).toEqual(
    ["land", "land_ocean", "ocean"].flatMap((kind) => [series(kind, "202609"), series(kind, "202610")]),
  );
  expect(page).toContain("Parent Directory");
});

test("a new month is listed a week after its end", async () => {
  const simulator = await started("2027-01-07T23:59:59Z");
  expect(await simulator.text(FOLDER)).not.toContain("202612");
  simulator.clock.advance(1_000);
  expect(await simulator.text(FOLDER)).toContain(series("ocean", "202612").slice(FOLDER.length));
  expect((await simulator.get(series("ocean", "202610"))).status).toBe(404);
});

test.each(["ocean", "land", "land_ocean"])(
  "the file %s has ten columns, and rows from January 1850 to the month in its name",
  async (kind) => {
    const rows = linesOf(await (await started(NOW)).text(series(kind, "202609")));
    expect(rows.filter((row) => !/^ {2}\d{4} {2}[ \d]\d( +-?\d+\.\d{6}){8}$/.test(row))).toEqual([]);
    expect([cellsOf(rows[0] ?? "").slice(0, 2), cellsOf(rows.at(-1) ?? "").slice(0, 2)]).toEqual([
      [1850, 1],
      [2026, 9],
    ]);
    expect(rows.filter((row) => row.includes("  -999.000000")).length).toBe(2);
  },
);

test("ocean anomalies average 0 in 1991-2020 and -0.33 in 1971-2000", async () => {
  const rows = linesOf(await (await started(NOW)).text(series("ocean", "202610"))).map(cellsOf);
  const mean = (first: number, last: number): number =>
    meanOf(rows.flatMap(([year = 0, , anomaly = 0]) => (year >= first && year <= last ? [anomaly] : [])));
  expect(Math.abs(mean(1991, 2020))).toBeLessThan(0.02);
  expect(Math.abs(mean(1971, 2000) + 0.33)).toBeLessThan(0.02);
});

test("the newer file begins with the whole older file", async () => {
  const simulator = await started(NOW);
  const older = await simulator.text(series("ocean", "202609"));
  expect((await simulator.text(series("ocean", "202610"))).startsWith(older)).toBe(true);
});

test.each([HEAT, VERSIONS, FOLDER, series("ocean", "202610")])("simulated faults break the file at %s", async (url) => {
  const simulator = await started(NOW);
  const healthy = linesOf(await simulator.text(url));
  const broken = async (kind: "changed" | "empty" | "bad-row"): Promise<readonly string[]> => {
    simulator.faults.set({ upstream: "ncei" }, { kind });
    return linesOf(await simulator.text(url));
  };
  expect((await broken("empty")).filter((line) => /^\d{4}|^ +\d{4}|aravg|"v\d/.test(line))).toEqual([]);
  const changed = await broken("changed");
  expect(changed.length).toBe(healthy.length);
  expect(changed).not.toEqual(healthy);
  expect(changed.join("\n")).not.toMatch(/aravg|"v\d|^YEAR +WO |^ +\d{4} +\d+ /m);
  const different = (await broken("bad-row")).filter((line, index) => line !== healthy[index]);
  expect(different).toEqual(url.endsWith("/") ? [] : [expect.stringContaining("abc")]);
});
