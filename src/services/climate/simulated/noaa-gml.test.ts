import { describe, expect, test } from "vitest";
import { recording, recordingsAbsent, started } from "../../../simulator/testing/harness.js";

const NOW = "2026-11-18T12:00:00Z";
const address = (path: string): string => `https://gml.noaa.gov/webdata/ccgg/trends/${path}`;
const linesOf = (text: string): readonly string[] => text.trimEnd().split("\n");
const rowsOf = (text: string): readonly string[] => text.match(/^ *\d{4} .*$/gm) ?? [];
const shapeOf = (row: string): string => row.replace(/\d/g, "0");

const files = [
  ["co2/co2_daily_mlo.txt", /^ {2}\d{4} {2}[ \d]\d {2}[ \d]\d {2}\d{4}\.\d{4} {3,4}-?\d{3}\.\d\d$/],
  [
    "co2/co2_mm_mlo.txt",
    /^ \d{4} {3}[ \d]\d {3}\d{4}\.\d{4} {6}\d{3}\.\d\d {6}\d{3}\.\d\d {4,5}-?\d+ {3,4}-?\d\.\d\d {3,4}-?\d\.\d\d$/,
  ],
  ["co2/co2_annmean_gl.txt", /^ {2}\d{4} {3}\d{3}\.\d\d {5}\d\.\d\d$/],
  ["co2/co2_gr_mlo.txt", /^ {2}\d{4} {8}\d\.\d\d {8}\d\.\d\d$/],
  [
    "ch4/ch4_mm_gl.txt",
    /^ {2}\d{4} {6}[ \d]\d {6}\d{4}\.\d{3} {7}\d{4}\.\d\d {9,10}-?\d\.\d\d {7}\d{4}\.\d\d {9,10}-?\d\.\d\d$/,
  ],
  [
    "n2o/n2o_mm_gl.txt",
    /^ {2}\d{4} {6}[ \d]\d {6}\d{4}\.\d{3} {8}\d{3}\.\d\d {9,10}-?\d\.\d\d {8}\d{3}\.\d\d {9,10}-?\d\.\d\d$/,
  ],
] as const;

describe.each(files)("%s", (path, layout) => {
  test("the file has a long comment, a line of column names, and rows that share one layout", async () => {
    const lines = linesOf(await (await started(NOW)).text(address(path)));
    expect(lines.filter((line) => line.startsWith("#")).length).toBeGreaterThanOrEqual(20);
    const rows = lines.filter((line) => !/^(#|$| *year)/.test(line));
    expect(rows.length).toBeGreaterThan(45);
    expect(rows.filter((row) => !layout.test(row))).toEqual([]);
  });

  test("requests with If-Modified-Since get 304 until the next release", async () => {
    const simulator = await started(NOW);
    const modified = (await simulator.get(address(path))).headers.get("last-modified") ?? "";
    const again = async (): Promise<number> =>
      (await simulator.get(address(path), { "If-Modified-Since": modified })).status;
    expect(await again()).toBe(304);
    simulator.clock.set(Date.parse("2027-05-06T00:00:00Z"));
    expect(await again()).toBe(200);
  });

  test("simulated faults can empty the file, change its layout or spoil its rows", async () => {
    const simulator = await started(NOW);
    const healthy = await simulator.text(address(path));
    const broken = async (kind: "changed" | "empty" | "bad-row"): Promise<string> => {
      simulator.faults.set({ upstream: "noaa-gml" }, { kind });
      return await simulator.text(address(path));
    };
    const empty = await broken("empty");
    expect([rowsOf(empty), healthy.startsWith(empty)]).toEqual([[], true]);
    const changed = await broken("changed");
    expect([rowsOf(changed), linesOf(changed).length]).toEqual([[], linesOf(healthy).length]);
    const spoilt = rowsOf(await broken("bad-row"));
    const rows = rowsOf(healthy);
    const different = spoilt.filter((row, index) => row !== rows[index]);
    expect(spoilt.length).toBe(rows.length);
    expect(different).toEqual([expect.stringContaining("abc")]);
  });
});

test.skipIf(recordingsAbsent).each([
  ["co2/co2_mm_mlo.txt", "co2_mm_mlo.txt", ""],
  ["ch4/ch4_mm_gl.txt", "ch4_mm_gl.txt", ""],
  ["n2o/n2o_mm_gl.txt", "n2o_mm_gl.txt", ""],
  ["co2/co2_gr_mlo.txt", "co2_gr_mlo.txt", "  year        growth        unc"],
])(
  "%s has the same row layouts as the recording, and the line of column names in the same place",
  async (path, file, header) => {
    const real = recording(`noaa-gml/${file}`);
    const text = await (await started("2026-08-06T00:00:00Z")).text(address(path));
    const realShapes = new Set(rowsOf(real).map(shapeOf));
    expect(rowsOf(text).filter((row) => !realShapes.has(shapeOf(row)))).toEqual([]);
    const datesOf = (rows: readonly string[]): readonly string[] => rows.map((row) => row.slice(0, 24));
    if (header === "") expect(datesOf(rowsOf(text))).toEqual(datesOf(rowsOf(real)));
    const beforeRows = (whole: string): readonly string[] => {
      const lines = whole.split("\n");
      return lines
        .slice(
          0,
          lines.findIndex((line) => /^ *\d{4} /.test(line)),
        )
        .slice(-2);
    };
    const marks = (lines: readonly string[]): readonly string[] => lines.map((line) => line.trimEnd().slice(0, 31));
    expect(marks(beforeRows(text)).at(-1)).toBe(marks(beforeRows(real)).at(-1));
    expect(beforeRows(text).map((line) => line === "")).toEqual(beforeRows(real).map((line) => line === ""));
  },
);

test("the daily file runs from 19 May 1974 to yesterday and has a few rows without a value", async () => {
  const rows = rowsOf(await (await started(NOW)).text(address("co2/co2_daily_mlo.txt")));
  expect(rows[0]).toMatch(/^ {2}1974 {3}5 {2}19 {2}1974\.\d{4} {4}\d{3}\.\d\d$/);
  expect(rows.at(-1)).toMatch(/^ {2}2026 {2}11 {2}17 {2}2026\.\d{4} {4}42\d\.\d\d$/);
  const sentinels = rows.filter((row) => row.endsWith("   -999.99"));
  expect([sentinels.length > 5, sentinels.length < 100]).toEqual([true, true]);
});

test("another seed gives other values", async () => {
  const text = await (await started(NOW)).text(address("co2/co2_gr_mlo.txt"));
  expect(await (await started(NOW, { seed: 8 })).text(address("co2/co2_gr_mlo.txt"))).not.toBe(text);
});
