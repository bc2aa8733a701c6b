import { describe, expect, test } from "vitest";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import { silentTally } from "../../../contract/row-tally.js";
import { displacement } from "../datasets/displacement.js";
import type { PopulationRow } from "../records.js";
import { endOf, unhcrPopulation } from "./unhcr.js";

const request = firstRequest(unhcrPopulation, { year: 2026 });
const item = (values: object = {}) => ({
  year: 2025,
  coo_iso: "SYR",
  coo_name: "Syrian Arab Rep.",
  coa_iso: "TUR",
  coa_name: "Türkiye",
  refugees: 2_940_735,
  asylum_seekers: "154083",
  idps: "-",
  stateless: "0",
  ...values,
});
const page = (items: readonly object[], maxPages = 1) => ({ page: 1, maxPages, items });
const countries = (count: number) =>
  Array.from({ length: count }, (_, index) => item({ coa_iso: `C${String(index).padStart(3, "0")}` }));

test("a count is read from a number, a string or a dash", () => {
  expect(readBody(unhcrPopulation, request, page([item()])).records).toEqual([
    {
      year: 2025,
      originCode: "SYR",
      originName: "Syrian Arab Rep.",
      asylumCode: "TUR",
      asylumName: "Türkiye",
      refugees: 2_940_735,
      asylumSeekers: 154_083,
      idps: 0,
      stateless: 0,
    },
  ]);
});

test("a row without people is omitted, and a row whose count is a word or negative is bad", () => {
  const nobody = item({ refugees: "-", asylum_seekers: 0 });
  const rows = [nobody, item({ refugees: "many" }), item({ refugees: -5 }), item(), item()];
  expect(readBody(unhcrPopulation, request, page(rows))).toMatchObject({
    rowsRead: 5,
    rowsBad: 2,
    records: { length: 2 },
  });
});

test.each(["", " ", null])("a row whose count is %j is bad", (empty) => {
  const good = Array.from({ length: 4 }, () => item());
  const rows = ["refugees", "asylum_seekers", "idps", "stateless"].map((name) => item({ [name]: empty }));
  expect(readBody(unhcrPopulation, request, page([...rows, ...good]))).toMatchObject({
    rowsRead: 8,
    rowsBad: 4,
    records: { length: 4 },
  });
});

describe("further requests", () => {
  const next = (from: typeof request, body: object) =>
    readBody(unhcrPopulation, from, body).more.map(({ url }) =>
      url.replace(/^.*\?/, "").replace(/&limit.*&page/, "&page"),
    );

  test("the other pages of a year are requested, up to page 25", () => {
    expect(next(request, page(countries(100), 3))).toEqual([
      "year=2026&page=2&coo_all=true&coa_all=true",
      "year=2026&page=3&coo_all=true&coa_all=true",
    ]);
    expect(next(request, page(countries(100), 99))).toHaveLength(24);
    expect(readBody(unhcrPopulation, request, page(countries(100), 25)).lacks).toBeUndefined();
    expect(readBody(unhcrPopulation, request, page(countries(100), 99)).lacks).toBe(
      "it lists 99 pages of 2026; only the first 25 were read",
    );
  });

  test("if a year has fewer than a hundred countries, the previous year is requested, at most two years back", () => {
    const [second] = readBody(unhcrPopulation, request, page([], 0)).more;
    expect(second?.url).toContain("year=2025&");
    if (!second) throw new Error("expected a request for a second year");
    const [third] = readBody(unhcrPopulation, second, page(countries(99))).more;
    expect(third?.url).toContain("year=2024&");
    if (!third) throw new Error("expected a request for a third year");
    expect(readBody(unhcrPopulation, third, page([])).more).toEqual([]);
    expect(readBody(unhcrPopulation, second, page(countries(100))).more).toEqual([]);
  });
});

test("an answer with another envelope is reported as a changed document", () => {
  expect(failureOf(() => readBody(unhcrPopulation, request, { rows: [] })).kind).toBe("changed");
});

describe("the stored year", () => {
  const rows = (year: number, count: number): PopulationRow[] =>
    Array.from({ length: count }, (_, index) => ({
      year,
      originCode: `O${index}`,
      originName: "o",
      asylumCode: "A",
      asylumName: "a",
      refugees: 1,
      asylumSeekers: 0,
      idps: 0,
      stateless: 0,
    }));
  const select = (stored: readonly PopulationRow[]) =>
    displacement.parts.population.select?.(stored, 0, silentTally) ?? [];

  test("the stored year is the newest with a hundred countries, or the newest of all if no year has so many", () => {
    expect(select([...rows(2026, 98), ...rows(2025, 99), ...rows(2024, 120)])[0]?.year).toBe(2025);
    expect(select([...rows(2026, 5), ...rows(2025, 6)])[0]?.year).toBe(2026);
  });

  test("the dataset is published only if its year has at least a hundred countries", () => {
    expect(displacement.gate({ population: rows(2025, 99) })).toBeUndefined();
    expect(displacement.gate({ population: rows(2025, 98) })).toBe("99 countries, needed 100");
  });

  test("the stored year is dated to its last instant", () => {
    expect(new Date(endOf(2025)).toISOString()).toBe("2025-12-31T23:59:59.999Z");
  });
});
