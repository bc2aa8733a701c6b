import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import type { ValueRange } from "../../../contract/value-ranges.js";
import { DAY_MS } from "../../../kit/clock.js";
import type { PopulationRow } from "../records.js";

/** Range of the number of people of one kind in a row. */
const people: ValueRange = [0, 1e10];

const ENDPOINT = "https://api.unhcr.org/population/v1/population/";
const PAGE_ROWS = 10_000;
const PAGES_MAX = 25;
/** Maximum number of years to go back to find the newest published year. */
const YEARS_BACK_MAX = 2;
/** Minimum number of countries of asylum in a fully published year. */
const COUNTRIES_MIN = 100;

const Envelope = Type.Object({ items: Type.Array(Type.Unknown()), maxPages: Type.Optional(Type.Number()) });
const Count = Type.Union([Type.Number(), Type.String()]);

/** One row of the API. The published CSV has the same fields under other names. */
export const UnhcrRow = Type.Object({
  year: Type.Integer(),
  coo_iso: Type.String({ minLength: 1 }),
  coo_name: Type.String({ minLength: 1 }),
  coa_iso: Type.String({ minLength: 1 }),
  coa_name: Type.String({ minLength: 1 }),
  refugees: Count,
  asylum_seekers: Count,
  idps: Count,
  stateless: Count,
});

/** One page of the figures for a year. */
interface YearPage {
  readonly year: number;
  /** Number of years by which this year is earlier than the year that the run requested first. */
  readonly back: number;
  /** Number of the page, counted from 1. */
  readonly page: number;
}

/** Displaced and stateless people by origin and asylum, of the newest year that UNHCR has published. */
export const unhcrPopulation = source({
  id: "unhcr-population",
  title: "UNHCR Refugee Data Finder, population",
  home: "https://www.unhcr.org/refugee-statistics/",
  seen: "described",
  licence: {
    name: "CC BY 4.0",
    url: "https://www.unhcr.org/refugee-statistics/methodology/",
    attribution: "UNHCR, The UN Refugee Agency, Refugee Data Finder",
    open: true,
  },
  steps: {
    page: step({
      ask: ({ year }: { readonly year: number }): readonly YearPage[] => [{ year, back: 0, page: 1 }],
      request: ({ year, back, page }) => ({
        key: `${year} back ${back} page ${page}`,
        url: `${ENDPOINT}?year=${year}&limit=${PAGE_ROWS}&page=${page}&coo_all=true&coa_all=true`,
        timeoutMs: 60_000,
      }),
      format: { kind: "json" },
      row: UnhcrRow,
      rows(document, { year, page }) {
        if (Value.Check(Envelope, document)) return document.items;
        throw new SourceFailure("changed", `expected items[] in page ${page} of ${year}`);
      },
      /** Requests the other pages of the year, and also the previous year if this one is not fully published yet. */
      more(document, { year, back, page }) {
        if (!Value.Check(Envelope, document) || page > 1) return [];
        const pages = Math.min(document.maxPages ?? 1, PAGES_MAX);
        const further = Array.from({ length: Math.max(0, pages - 1) }, (_, index) => ({ year, back, page: index + 2 }));
        const isThin = countriesIn(document.items) < COUNTRIES_MIN && back < YEARS_BACK_MAX;
        return isThin ? [...further, { year: year - 1, back: back + 1, page: 1 }] : further;
      },
      lacks: (document, { year, page }) =>
        page === 1 && Value.Check(Envelope, document) && (document.maxPages ?? 1) > PAGES_MAX
          ? `it lists ${document.maxPages} pages of ${year}; only the first ${PAGES_MAX} were read`
          : undefined,
      record: populationRow,
    }),
  },
  ranges: { asylumSeekers: people, idps: people, refugees: people, stateless: people },
  observedAt: ({ year }) => endOf(year),
  // Figures are dated to the end of their year, even estimates that UNHCR publishes in the middle of the year.
  aheadMs: 366 * DAY_MS,
});

function countriesIn(items: readonly unknown[]): number {
  const codes = items.map((item) =>
    typeof item === "object" && item !== null && "coa_iso" in item ? item.coa_iso : "",
  );
  return new Set(codes).size;
}

/**
 * Converts a row to its stored form. Counts in the row are numbers or strings of digits; "-" means 0. A row with an
 * empty count is bad, because UNHCR does not say that it means 0.
 */
export function populationRow(row: Static<typeof UnhcrRow>): PopulationRow | LeftOut {
  const counts = {
    refugees: countOf(row.refugees),
    asylumSeekers: countOf(row.asylum_seekers),
    idps: countOf(row.idps),
    stateless: countOf(row.stateless),
  };
  if (Object.values(counts).every((count) => count === 0)) return new LeftOut("nobody counted");
  return {
    year: row.year,
    originCode: row.coo_iso,
    originName: row.coo_name.trim(),
    asylumCode: row.coa_iso,
    asylumName: row.coa_name.trim(),
    ...counts,
  };
}

function countOf(written: Static<typeof Count>): number {
  if (written === "-") return 0;
  // `Number` would convert blank text to 0.
  const isEmpty = String(written).trim() === "";
  const count = Number(written);
  if (isEmpty || !Number.isSafeInteger(count) || count < 0)
    throw new BadRow(`"${String(written).slice(0, 20)}" is not a count of people`);
  return count;
}

/** Returns the last instant of a year in epoch ms. The figures of a year are dated to this instant. */
export function endOf(year: number): number {
  return Date.UTC(year + 1, 0) - 1;
}
