import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import type { AnySource } from "../src/contract/source.js";
import { readRows } from "../src/ingest/read-rows.js";
import type { PlannedRequest } from "../src/ingest/requests.js";
import type { CpiMonth, IndexPoint, TreasuryParYieldCurve } from "../src/services/economic/records.js";
import { cpiMonths } from "../src/services/economic/rules/cpi-months.js";
import { fredApi } from "../src/services/economic/sources/fred-api.js";
import { fredGraph } from "../src/services/economic/sources/fred-graph.js";
import { treasuryYields } from "../src/services/economic/sources/treasury-yields.js";
import { firstRequest } from "./support/reading.js";

// Real payloads, kept beside the checkout because their licences forbid copying them here. Every expected value is read
// from the raw file by a few lines of this test, never by the decoders under test.
const folder = resolve(import.meta.dirname, "../../shared/upstream");
const raw = (file: string): string => readFileSync(resolve(folder, file), "utf8");
const isAbsent = !existsSync(folder);
const title = isAbsent ? "recorded payloads (skipped: ../shared/upstream is not here)" : "recorded payloads";

/** Lets a source read a recording as if it were the answer to this request. */
function read(source: AnySource, request: PlannedRequest, body: string) {
  return readRows(source, request, Buffer.from(body), undefined);
}

const elements: Readonly<Record<string, keyof TreasuryParYieldCurve>> = {
  BC_1MONTH: "oneMonth",
  BC_1_5MONTH: "oneAndAHalfMonth",
  BC_2MONTH: "twoMonth",
  BC_3MONTH: "threeMonth",
  BC_4MONTH: "fourMonth",
  BC_6MONTH: "sixMonth",
  BC_1YEAR: "oneYear",
  BC_2YEAR: "twoYear",
  BC_3YEAR: "threeYear",
  BC_5YEAR: "fiveYear",
  BC_7YEAR: "sevenYear",
  BC_10YEAR: "tenYear",
  BC_20YEAR: "twentyYear",
  BC_30YEAR: "thirtyYear",
};

/** The curves of a Treasury document, found by plain text search instead of an XML decoder. */
function curvesByHand(xml: string): Record<string, number>[] {
  return xml
    .split("<entry>")
    .slice(1)
    .map((entry) => {
      const curve: Record<string, number> = {};
      const day = /<d:NEW_DATE[^>]*>(\d{4})-(\d{2})-(\d{2})T/.exec(entry)?.slice(1).map(Number) ?? [];
      curve["date"] = Date.UTC(day[0] ?? 0, (day[1] ?? 0) - 1, day[2]);
      for (const [, element = "", value] of entry.matchAll(/<d:(BC_\w+)[^>]*>([\d.]+)</g)) {
        const tenor = elements[element];
        if (tenor) curve[tenor] = Number(value);
      }
      return curve;
    });
}

const csvColumns: Readonly<Record<string, string>> = {
  "1 Mo": "BC_1MONTH",
  "1.5 Month": "BC_1_5MONTH",
  "2 Mo": "BC_2MONTH",
  "3 Mo": "BC_3MONTH",
  "4 Mo": "BC_4MONTH",
  "6 Mo": "BC_6MONTH",
  "1 Yr": "BC_1YEAR",
  "2 Yr": "BC_2YEAR",
  "3 Yr": "BC_3YEAR",
  "5 Yr": "BC_5YEAR",
  "7 Yr": "BC_7YEAR",
  "10 Yr": "BC_10YEAR",
  "20 Yr": "BC_20YEAR",
  "30 Yr": "BC_30YEAR",
};

/** Converts a Treasury CSV recording to an XML document of the same days, and returns it with the expected curves. */
function asDocument(csv: string) {
  const [header = "", ...lines] = csv.trim().split(/\r?\n/);
  const columns = header.split(",").map((name) => name.replaceAll('"', ""));
  const curves = lines.map((line) => {
    const cells = line.split(",");
    const [month = "", day = "", year = ""] = (cells[0] ?? "").split("/");
    const values = columns.slice(1).map((name, index) => [csvColumns[name] ?? name, cells[index + 1] ?? ""] as const);
    return { date: `${year}-${month}-${day}`, values };
  });
  const entries = curves.map(({ date, values }) => {
    const tenors = values.map(([element, value]) =>
      value === "" ? `<d:${element} m:null="true" />` : `<d:${element} m:type="Edm.Double">${value}</d:${element}>`,
    );
    return `<entry><content><m:properties><d:NEW_DATE>${date}T00:00:00</d:NEW_DATE>${tenors.join("")}</m:properties></content></entry>`;
  });
  const xml = `<feed xmlns:d="d" xmlns:m="m">${entries.join("")}</feed>`;
  const expected = curves.map(({ date, values }) => ({
    date: Date.parse(`${date}T00:00:00Z`),
    ...Object.fromEntries(values.flatMap(([element, value]) => (value ? [[elements[element], Number(value)]] : []))),
  }));
  return { xml, expected };
}

describe.skipIf(isAbsent)(title, () => {
  const yearRequest = firstRequest(treasuryYields, { years: [2019], incompleteYears: [], now: Date.UTC(2026, 7, 31) });

  test.each([
    ["us-treasury/DailyTreasuryYieldCurveRateData-2019.xml", 74],
    ["us-treasury/daily_treasury_yield_curve-202608-3entries.xml", 3],
  ])("the Treasury recording %s yields every tenor of every day", (file, days) => {
    const body = raw(file);
    const reading = read(treasuryYields, yearRequest, body);
    const expected = curvesByHand(body);
    expect(expected).toHaveLength(body.split("<d:NEW_DATE").length - 1);
    expect(reading.records).toEqual(expected);
    expect([reading.rowsRead, reading.rowsBad]).toEqual([expected.length, 0]);
    expect(expected.length).toBeGreaterThanOrEqual(days);
  });

  test.each([
    "us-treasury/daily-treasury-rates-1990-excerpt.csv",
    "us-treasury/daily-treasury-rates-2023.csv",
    "us-treasury/daily-treasury-rates-2025-gap-excerpt.csv",
    "us-treasury/daily-treasury-rates-2026-excerpt.csv",
  ])("the Treasury recording %s, converted to the XML layout, yields every tenor of every day", (file) => {
    const { xml, expected } = asDocument(raw(file));
    expect(expected.length).toBeGreaterThan(1);
    expect(read(treasuryYields, yearRequest, xml).records).toEqual(expected);
  });

  test.each(["CPIUFDSL", "GASDESM"])("fredgraph-%s.csv yields every value of every month", (series) => {
    const body = raw(`fred/fredgraph-${series}.csv`);
    const request = firstRequest(fredGraph, { series });
    const reading = read(fredGraph, request, body);
    expect(reading.records).toEqual(pointsByHand(body));
    expect(reading.rowsBad).toBe(0);
  });

  test("a recorded FRED series is rejected if daily; if monthly, it is read without its missing values", () => {
    const answers = JSON.parse(raw("fred/api-series-observations-4series.json")) as Record<
      string,
      { observations: { date: string; value: string }[] }
    >;
    for (const [series, answer] of Object.entries(answers)) {
      const request = firstRequest(fredApi, { series });
      const firsts = answer.observations.filter(({ date }) => date.endsWith("-01"));
      const monthly = firsts.flatMap(({ date, value }) =>
        value === "." ? [] : [{ month: Date.parse(`${date}T00:00:00Z`), index: Number(value) }],
      );
      const isMonthly = firsts.length === answer.observations.length;
      if (isMonthly) expect(read(fredApi, request, JSON.stringify(answer)).records).toEqual(monthly);
      else
        expect(() => read(fredApi, request, JSON.stringify(answer))).toThrow(/rows of .* do not have the known shape/);
    }
  });

  const components = {
    headline: "CPIAUCSL",
    core: "CPILFESL",
    food: "CPIUFDSL",
    energy: "CPIENGSL",
    shelter: "CUSR0000SAH1",
    services: "CUSR0000SAS",
  } as const;

  test("the recorded CPI series yield the monthly and yearly change of every month for all six components", () => {
    const files = Object.entries(components).map(([name, id]) => [name, raw(`fred/quandl-layout/${id}.csv`)] as const);
    const records = Object.fromEntries(files.map(([name, body]) => [name, pointsByHand(body)]));
    const months = cpiMonths(records as Record<keyof typeof components, IndexPoint[]>);
    const byMonth = new Map(months.map((month) => [month.month, month]));
    let changes = 0;
    for (const [name, body] of files) {
      for (const { key, month, index, before, yearBefore } of changesByHand(body)) {
        const expected = {
          index,
          ...(before !== undefined && { monthOverMonth: { percent: change(index, before) } }),
          ...(yearBefore !== undefined && { yearOverYear: { percent: change(index, yearBefore) } }),
        };
        expect(byMonth.get(month)?.[name as keyof Omit<CpiMonth, "month">], `${name} ${key}`).toEqual(expected);
        changes += (before === undefined ? 0 : 1) + (yearBefore === undefined ? 0 : 1);
      }
    }
    expect(changes).toBeGreaterThan(9_000);
    expect(months.map(({ month }) => month)).toEqual([...byMonth.keys()].sort((a, b) => a - b));
  });
});

/** The month and value of each line of a two-column CSV, whatever its header. */
function pointsByHand(csv: string): IndexPoint[] {
  return csv
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .flatMap((line) => {
      const [date = "", value = ""] = line.split(",");
      const [year = 0, month = 0] = date.split("-").map(Number);
      return value === "" || value === "." ? [] : [{ month: Date.UTC(year, month - 1), index: Number(value) }];
    });
}

/** Returns each month with its value, the value of the previous month and the value of the same month a year before. */
function changesByHand(csv: string) {
  const lines = csv.trim().split(/\r?\n/).slice(1);
  const values = new Map(
    lines.map((line) => {
      const [date = "", value = ""] = line.split(",");
      const [year = 0, month = 0] = date.split("-").map(Number);
      return [year * 12 + month - 1, Number(value)];
    }),
  );
  return [...values].map(([key, index]) => ({
    key,
    month: Date.UTC(Math.floor(key / 12), key % 12),
    index,
    before: values.get(key - 1),
    yearBefore: values.get(key - 12),
  }));
}

/**
 * The change in percent to 4 decimal places, computed independently of the code under test. A half is rounded away from
 * zero.
 */
function change(current: number, base: number): number {
  const percent = (current / base - 1) * 100;
  return Number((Math.sign(percent) * Math.round(Math.abs(percent) * 1e4)) / 1e4) + 0;
}
