import { describe, expect, test } from "vitest";
import {
  failureOf,
  firstRequest,
  readBody,
  requestAbout,
  requestsOf,
  servedOf,
  whileAbsent,
} from "../../../../test/support/reading.js";
import { type AnySource, SourceFailure } from "../../../contract/source.js";
import { insteadOf } from "../../../ingest/requests.js";
import { zones } from "../rules/zones.js";
import { climateNormals } from "./climate-normals.js";
import { co2Annual, co2Daily, co2Growth, co2Monthly, methaneMonthly } from "./greenhouse-gases.js";
import { oceanHeat, oceanTemperature } from "./ncei.js";
import { iceExtentDaily, iceMedians } from "./nsidc.js";
import { recentWeather } from "./recent-weather.js";
import { reliefWebReportsV2 } from "./reliefweb-reports.js";
import { seaLevel } from "./sea-level.js";

const at = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const read = (source: AnySource, body: string | object, plan: object = {}) =>
  readBody(source, firstRequest(source, plan), body);

describe("NOAA's text files", () => {
  test("daily values are read from column 5, monthly values from column 4, annual values from column 2", () => {
    expect(read(co2Daily, "# a comment\n 2026  11  15   2026.8726    427.31\n").records).toEqual([
      { at: at("2026-11-15"), value: 427.31 },
    ]);
    expect(read(co2Monthly, " 1958 3 1958.2027 315.71 314.44 -1 -9.99 -0.99\n").records).toEqual([
      { at: at("1958-03-01"), value: 315.71 },
    ]);
    expect(read(co2Annual, "2025   425.42   0.10\n").records).toEqual([
      { at: at("2025-01-01"), globalMeanPpm: 425.42 },
    ]);
  });

  test.each(["-999.99", "-99.99", "-9.99", "-0.99", "-1"])("%s is a missing value", (sentinel) => {
    const reading = read(methaneMonthly, `# x\n\n 2026 3 2026.208 ${sentinel} -9.99 1939.83 -9.99\n`);
    expect([reading.records, reading.rowsRead, reading.rowsBad]).toEqual([[], 1, 0]);
  });

  test("the file of growth rates has an uncommented header, and growth may be negative", () => {
    const reading = read(
      co2Growth,
      "# x\n  year        growth        unc\n  1959  0.94  0.11\n 1960 -0.10 0.11\n 1961 -9.99 0.11\n",
    );
    expect(reading.records).toEqual([
      { at: at("1959-01-01"), stationGrowthPpm: 0.94 },
      { at: at("1960-01-01"), stationGrowthPpm: -0.1 },
    ]);
    expect(reading.rowsBad).toBe(0);
  });

  test("a row with a nonexistent date, a word as its value, or a missing column is bad", () => {
    const good = Array.from({ length: 4 }, (_, day) => `2026 11 ${day + 1} 2026.8 427`).join("\n");
    const reading = read(co2Daily, `2026 2 30 2026.1 427\n2026 3 1 2026.1 abc\n2026 3 1 2026.1\n${good}\n`);
    expect([reading.rowsRead, reading.rowsBad]).toEqual([7, 3]);
  });
});

const DAILY_HEADER =
  "Year, Month, Day,     Extent,    Missing, Source Data\nYYYY,    MM,  DD, 10^6 sq km, 10^6 sq km, Source data product\n";

describe("NSIDC's daily extent", () => {
  test("cells may be padded, the list of files may be quoted, and values of 0 or less are missing", () => {
    const lines = [
      "1978,    10,  26,     10.231,      0.000, ['/a/b.bin', '/c,d.bin']",
      `2026,    08,  21,      4.618,      0.000, "['one', 'two']"`,
      "2026,    08,  22,      0.000,     13.000, []",
      "2026,    08,  23,     -9999,      13.000, []",
    ];
    const reading = read(iceExtentDaily, DAILY_HEADER + lines.join("\n"));
    expect(reading.records).toEqual([
      { day: at("1978-10-26"), extentMkm2: 10.231 },
      { day: at("2026-08-21"), extentMkm2: 4.618 },
    ]);
    expect([reading.rowsRead, reading.rowsBad]).toEqual([4, 0]);
  });

  test("a file with other columns is reported as changed", () => {
    const failed = failureOf(() => read(iceExtentDaily, "Year,Month,Day,Area\n1978,10,26,10\n"));
    expect([failed.kind, failed.message]).toEqual([
      "changed",
      'expected the columns Year, Month, Day, Extent, got "Year,Month,Day,Area"',
    ]);
    expect(failureOf(() => read(iceExtentDaily, "<html>down for maintenance</html>")).kind).toBe("changed");
  });

  test("a row with a nonexistent day is bad", () => {
    const days = [
      "2026, 02, 30, 1, 0, []",
      "2026, 02, 27, 1, 0, []",
      "2026, 02, 28, x, 0, []",
      "2026, 02, 26, 1, 0, []",
    ];
    expect(read(iceExtentDaily, DAILY_HEADER + days.join("\n"))).toMatchObject({ rowsRead: 4, rowsBad: 2 });
  });
});

test.each(["", "Sea ice climatology 1981-2010\n"])("NSIDC's medians are read after the preamble %j", (preamble) => {
  const table = "DOY,   Average Extent,   Std Deviation,      10th,      25th,      50th,      75th,      90th\n";
  expect(
    read(iceMedians, `${preamble}${table}001,  13.778, 0.407, 13.183, 13.479, 13.823, 14.095, 14.257\n`).records,
  ).toEqual([{ dayOfYear: 1, medianMkm2: 13.823 }]);
});

test("a median of nan is a missing value, even if most medians are nan", () => {
  const table = "DOY,   Average Extent,   Std Deviation,      10th,      25th,      50th,      75th,      90th\n";
  const rows = [
    "031,           14.928,           0.499,    14.223,    14.604,    14.945,    15.350,    15.494",
    "032,              nan,             nan,       nan,       nan,       nan,       nan,       nan",
    "033,              nan,             nan,       nan,       nan,       nan,       nan,       nan",
  ];
  expect(read(iceMedians, `std Years = 1981-2010\n${table}${rows.join("\n")}\n`)).toMatchObject({
    records: [{ dayOfYear: 31, medianMkm2: 14.945 }],
    rowsRead: 3,
    rowsBad: 0,
  });
});

describe("NASA's page on the sea level", () => {
  const page = (text: string) =>
    `<!doctype html><html><script>var x = "99 mm since 1993";</script><p>${text}</p></html>`;

  test.each([
    [
      "Rise since 1993: <b>103.8</b> millimeters. It rose 0.08 inches (0.20 centimeters) per year then; the current rate is 0.17 inches (0.42 centimeters) per year.",
      { mmAbove1993: 103.8, mmPerYear: 4.2 },
    ],
    ["101&nbsp;mm since 1993", { mmAbove1993: 101 }],
    ["now at 0.45 cm/year", { mmPerYear: 4.5 }],
    [
      "The current rate is 0.17 inches/year (0.42 centimeters/year). Since 1993 it was 3.3 mm per year, a rise since 1993 of 103.8 mm.",
      { mmAbove1993: 103.8, mmPerYear: 4.2 },
    ],
  ])("a page with the text %j is read", (text, record) => {
    expect(read(seaLevel, page(text)).records).toEqual([record]);
  });

  test("a page that states neither the rise nor the rate is reported as changed", () => {
    expect(failureOf(() => read(seaLevel, page("We are moving."))).kind).toBe("changed");
  });

  test("a page with an implausible number is reported as changed", () => {
    expect(failureOf(() => read(seaLevel, page("5000 mm since 1993"))).kind).toBe("changed");
  });
});

describe("NCEI", () => {
  test("ocean heat in zettajoules is ten times the value in the world column", () => {
    const body = "YEAR      WO     WOse      NH\n1955.500  -6.456   3.105  -4.0\n2025.500  25.731   0.5   9\n";
    expect(read(oceanHeat, body).records.map((record) => (record as { zettajoules: number }).zettajoules)).toEqual([
      -64.56, 257.31,
    ]);
    expect(failureOf(() => read(oceanHeat, "YEAR NH\n1955.5 1\n")).kind).toBe("changed");
  });

  test.each(["-99.990", "-999.990", "-999"])("%s marks a year without ocean heat, which is omitted", (sentinel) => {
    const reading = read(oceanHeat, `YEAR WO WOse\n1955.500 -9.990 3.105\n2025.500 ${sentinel} 0.5\n`);
    expect(reading).toMatchObject({
      records: [{ at: Date.parse("1955-07-02T12:00:00Z"), zettajoules: -99.9 }],
      rowsRead: 2,
      rowsBad: 0,
      leftOut: [{ rule: "no value", count: 1 }],
    });
  });

  test("ocean heat of more than a thousand zettajoules is a bad row", () => {
    const body = "YEAR WO WOse\n2023.500 24.1 0.5\n2024.500 25.7 0.5\n2025.500 257.31 0.5\n";
    expect(read(oceanHeat, body)).toMatchObject({ records: { length: 2 }, rowsRead: 3, rowsBad: 1 });
  });

  const href = (name: string): string => `<tr><td><a href="${name}">${name}</a></td></tr>\n`;

  test("the latest version from 6.1 on is requested, and the previous version if the latest is missing", () => {
    const folders = (...names: readonly string[]) =>
      read(oceanTemperature, ["?C=N;O=D", "/data/", "archive/", ...names].map(href).join(""));
    const [first] = folders("v5.1/", "v6/", "v6.1/", "v6.10/", "v6.9/").more;
    expect(whileAbsent(first).map(({ url }) => url.split("/").at(-4))).toEqual(["v6.10", "v6.9", "v6.1"]);
    const [folder] = folders("v6.1/").more;
    expect(folder).toMatchObject({
      key: "folder v6.1",
      url: "https://www.ncei.noaa.gov/data/noaa-global-surface-temperature/v6.1/access/timeseries/",
    });
    const down = new SourceFailure("unavailable", "answered 500", { status: 500 });
    expect(folder && insteadOf(folder, down)).toBeUndefined();
    expect(folders("v6.1/", "v7/").more[0]?.key).toBe("folder v7");
    expect(failureOf(() => folders("v5.1/", "v6/")).message).toBe("the list of versions names no folder from v6.1 on");
  });

  test("the latest monthly ocean series in the folder is requested", () => {
    const names = ["aravg.ann.ocean.90S.90N.v6.1.0.202610.asc", "aravg.mon.land.90S.90N.v6.1.0.202611.asc"];
    const series = ["202609", "202610"].map((month) => `aravg.mon.ocean.90S.90N.v6.1.0.${month}.asc`);
    const folder = requestAbout(oceanTemperature, "folder", { version: "6.1", older: [] });
    const reading = readBody(oceanTemperature, folder, [...names, ...series].map(href).join(""));
    expect(reading.more.map(({ url }) => url)).toEqual([folder.url + series[1]]);
    expect(servedOf(oceanTemperature, [[folder, reading]])).toEqual([]);
    expect(failureOf(() => readBody(oceanTemperature, folder, "<html>nothing</html>")).kind).toBe("changed");
  });

  test("-999 marks a month without a value, which is omitted", () => {
    const request = requestAbout(oceanTemperature, "series", { folder: "https://x.test/", name: "aravg" });
    const reading = readBody(oceanTemperature, request, "  1850     1   -0.341   0.1\n  1850     2 -999.000000  0.1\n");
    expect(reading.records).toEqual([{ month: at("1850-01-01"), anomalyC: -0.341 }]);
  });
});

const daily = (days: number, missing = 0) => {
  const time = Array.from({ length: days }, (_, day) =>
    new Date(at("2026-11-01") + day * 86_400_000).toISOString().slice(0, 10),
  );
  const values = time.map((_, day) => (day >= days - missing ? null : day));
  return { latitude: 1, longitude: 2, daily: { time, temperature_2m_mean: values, precipitation_sum: values } };
};

describe("Open-Meteo's archive", () => {
  const [oneZone, twoZones] = [zones.slice(0, 1), zones.slice(0, 2)];
  const now = at("2026-11-22");

  test("the archive is requested for three weeks up to yesterday", () => {
    const { url } = firstRequest(recentWeather, { zones: twoZones, now });
    expect(url).toContain("latitude=48.4,50.1&longitude=31.2,9.7&start_date=2026-11-01&end_date=2026-11-21&daily=");
    expect(url).toContain("daily=temperature_2m_mean,precipitation_sum&timezone=UTC");
  });

  test("the archive's record is the mean of the last seven complete days", () => {
    const reading = read(recentWeather, daily(21, 2), { zones: oneZone, now });
    expect(reading.records).toEqual([
      { zone: "ukraine", firstDay: at("2026-11-13"), lastDay: at("2026-11-19"), temperatureC: 15, precipitationMm: 15 },
    ]);
  });

  test("a zone with only six complete days is omitted, and a zone with a broken list is a bad row", () => {
    expect(read(recentWeather, daily(21, 15), { zones: oneZone, now })).toMatchObject({ records: [], rowsBad: 0 });
    const broken = { ...daily(21), daily: { ...daily(21).daily, precipitation_sum: [1] } };
    expect(read(recentWeather, [daily(21), broken], { zones: twoZones, now })).toMatchObject({
      rowsRead: 2,
      rowsBad: 1,
    });
  });

  test("an answer with fewer locations than requested is reported as changed", () => {
    expect(failureOf(() => read(recentWeather, [daily(21)], { zones: twoZones, now })).kind).toBe("changed");
  });

  test("locations are identified by their location_id, which the first location lacks", () => {
    const numbered = { ...daily(21, 2), location_id: 1 };
    const both = [daily(21), numbered];
    const lastDays = (list: readonly object[]) =>
      read(recentWeather, list, { zones: twoZones, now }).records.map(
        (record) => (record as { lastDay: number }).lastDay,
      );
    expect(lastDays(both)).toEqual([at("2026-11-21"), at("2026-11-19")]);
    expect(lastDays(both.toReversed())).toEqual(lastDays(both));
    const twice = [numbered, numbered];
    expect(failureOf(() => read(recentWeather, twice, { zones: twoZones, now })).kind).toBe("changed");
  });

  test("normals are requested for two zones at a time and need nine tenths of the days of every month", () => {
    expect(requestsOf(climateNormals, { zones })).toHaveLength(13);
    const { url } = firstRequest(climateNormals, { zones });
    expect(url).toContain("start_date=1991-01-01&end_date=2020-12-31");
    const span = (years: number) => {
      const days = Math.round((Date.UTC(1991 + years, 0) - at("1991-01-01")) / 86_400_000);
      const time = Array.from({ length: days }, (_, day) =>
        new Date(at("1991-01-01") + day * 86_400_000).toISOString().slice(0, 10),
      );
      return {
        daily: {
          time,
          temperature_2m_mean: time.map((day) => Number(day.slice(5, 7))),
          precipitation_sum: time.map(() => 2),
        },
      };
    };
    const [record] = read(climateNormals, span(30), { zones: oneZone }).records;
    expect(record).toMatchObject({ zone: "ukraine", latitude: 48.4, longitude: 31.2 });
    expect((record as { months: unknown[] }).months).toEqual(
      Array.from({ length: 12 }, (_, month) => ({ temperatureC: month + 1, precipitationMm: 2 })),
    );
    expect(failureOf(() => read(climateNormals, span(26), { zones: oneZone })).kind).toBe("changed");
  });
});

describe("ReliefWeb's reports", () => {
  const fields = {
    title: "Drought",
    url: "https://reliefweb.int/node/1",
    date: { created: "2026-11-21T10:00:00+00:00" },
  };
  const reports = (...rows: readonly object[]) => ({ data: rows.map((row) => ({ id: "1", fields: row })) });
  const item = { title: "Drought", url: fields.url, publishedAt: Date.UTC(2026, 10, 21, 10) };
  const readReports = (body: object) =>
    readBody(reliefWebReportsV2, firstRequest(reliefWebReportsV2, {}, { RELIEFWEB_APPNAME: "x" }), body);

  test("a report is a news item from the organisation that wrote it, or from ReliefWeb if no organisation is stated", () => {
    const source = [{ name: "OCHA" }, { name: "WFP" }];
    expect(readReports(reports({ ...fields, source, headline: { summary: "Dry." } }, fields)).records).toMatchObject([
      { ...item, sourceName: "OCHA", summary: "Dry." },
      { ...item, sourceName: "ReliefWeb" },
    ]);
  });

  test("a report without a readable date is counted as bad", () => {
    const { records, rowsBad } = readReports(reports({ ...fields, date: { created: "2019-13-45" } }, fields));
    expect([records.length, rowsBad]).toEqual([1, 1]);
  });
});
