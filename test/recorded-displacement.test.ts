import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import type { PopulationRow } from "../src/services/displacement/records.js";
import { displacementYear } from "../src/services/displacement/rules/summary.js";
import { unhcrPopulation } from "../src/services/displacement/sources/unhcr.js";
import { firstRequest, readBody } from "./support/reading.js";
import { recorded, recordedTitle, recordingsAbsent } from "./support/recordings.js";

const request = firstRequest(unhcrPopulation, { year: 2023 });

/** The rows of the published CSV, whose header is on line 15. */
function csvRows(year: string): string[][] {
  const table = recorded("unhcr/population.csv").split("\n").slice(14).join("\n");
  return (parse(table) as string[][]).slice(1).filter(([first]) => first === year);
}

/** Converts a row of the CSV to an item of the API. */
const asApiItem = ([
  year,
  origin,
  originIso,
  asylum,
  asylumIso,
  refugees,
  asylumSeekers,
  idps,
  ,
  stateless,
]: string[]) => ({
  year: Number(year),
  coo_name: origin,
  coo_iso: originIso || "-",
  coa_name: asylum,
  coa_iso: asylumIso || "-",
  refugees,
  asylum_seekers: asylumSeekers,
  idps,
  stateless,
});

const count = (cell: string | undefined): number => (cell === "-" || cell === undefined ? 0 : Number(cell));

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  const displacementIn = (year: string) => {
    const reading = readBody(unhcrPopulation, request, { items: csvRows(year).map(asApiItem), maxPages: 1 });
    expect(reading.rowsBad).toBe(0);
    return displacementYear(reading.records as readonly PopulationRow[]);
  };

  test.each(["2015", "2019", "2023"])(
    "the UNHCR recording of %s yields totals, sorted countries and sorted flows",
    (year) => {
      const rows = csvRows(year);
      expect(rows.length).toBeGreaterThan(4_000);
      const summary = displacementIn(year);
      const sum = (column: number): number => rows.reduce((total, row) => total + count(row[column]), 0);
      const [refugees, asylumSeekers, idps, stateless] = [sum(5), sum(6), sum(7), sum(9)];
      expect(summary?.globalTotals).toEqual({
        refugees,
        asylumSeekers,
        idps,
        stateless,
        total: refugees + asylumSeekers + idps + stateless,
      });

      const leftBy = new Map<string, number>();
      const cameTo = new Map<string, number>();
      for (const row of rows) {
        const [origin = "", asylum = ""] = [row[2], row[4]];
        if (origin !== "" && origin !== "-")
          leftBy.set(origin, (leftBy.get(origin) ?? 0) + [5, 6, 7, 9].reduce((n, c) => n + count(row[c]), 0));
        if (asylum !== "" && asylum !== "-")
          cameTo.set(asylum, (cameTo.get(asylum) ?? 0) + count(row[5]) + count(row[6]));
      }
      const concerned = (code: string): number => Math.max(leftBy.get(code) ?? 0, cameTo.get(code) ?? 0);
      for (const { code, totalDisplaced, hostTotal } of summary?.countries ?? []) {
        expect([code, totalDisplaced, hostTotal]).toEqual([code, leftBy.get(code) ?? 0, cameTo.get(code) ?? 0]);
      }
      const statelessIn = (column: number, code: string): number =>
        rows.filter((row) => row[column] === code).reduce((total, row) => total + count(row[9]), 0);
      for (const { code, stateless: from, hostStateless } of summary?.countries ?? []) {
        expect([code, from, hostStateless]).toEqual([code, statelessIn(2, code), statelessIn(4, code)]);
      }

      const order = summary?.countries.map(({ code }) => concerned(code)) ?? [];
      expect(order).toEqual(order.toSorted((a, b) => b - a));
      expect(order.length).toBeGreaterThan(190);

      const flows = rows
        .filter((row) => count(row[5]) > 0 && row[2] !== "-" && row[4] !== "-" && row[2] !== "" && row[4] !== "")
        .map((row) => `${count(row[5])} ${row[2]} ${row[4]}`);
      const served = summary?.flows.map(
        ({ refugees: people, originCode, asylumCode }) => `${people} ${originCode} ${asylumCode}`,
      );
      expect(served?.toSorted()).toEqual(flows.toSorted());
      const sizes = summary?.flows.map(({ refugees: people }) => people) ?? [];
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    },
  );

  test("the UNHCR recording of 2023 lists 4.36 million people with the origin Stateless, each with a host country", () => {
    const summary = displacementIn("2023");
    const origin = summary?.countries.find(({ code }) => code === "XXA");
    expect(origin).toMatchObject({ name: "Stateless", hostStateless: 0 });
    const expected = csvRows("2023")
      .filter((row) => row[2] === "XXA")
      .reduce((total, row) => total + count(row[9]), 0);
    expect([origin?.stateless, Math.round(expected / 10_000)]).toEqual([expected, 436]);
    const hosted = summary?.countries.reduce((total, { hostStateless }) => total + hostStateless, 0);
    expect(hosted).toBe(summary?.globalTotals.stateless);
  });

  test("the recorded UNHCR row of the API is read, although its members are numbers, texts and dashes", () => {
    const reading = readBody(unhcrPopulation, request, JSON.parse(recorded("unhcr/api-population-2024-TUR.json")));
    expect(reading.records).toEqual([
      {
        year: 2024,
        originCode: "-",
        originName: "-",
        asylumCode: "TUR",
        asylumName: "Türkiye",
        refugees: 2_940_735,
        asylumSeekers: 154_083,
        idps: 0,
        stateless: 420,
      },
    ]);
  });
});
