import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import type { RowTally } from "../../../contract/row-tally.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import type { PopulationRow } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { displacementYear } from "../rules/summary.js";
import { endOf, unhcrPopulation } from "../sources/unhcr.js";

const COUNTRIES_MIN = 100;

const parts = {
  population: part<PopulationRow, { readonly year: number }>({
    sources: [unhcrPopulation],
    identity: ["year", "originCode", "asylumCode"],
    plan: ({ now }) => ({ year: new Date(now).getUTCFullYear() }),
    select: newestWholeYear,
  }),
};

/**
 * Selects the rows of the newest year with enough countries. If no year has enough, the rows of the newest year are
 * selected, and the gate rejects them.
 */
function newestWholeYear(rows: readonly PopulationRow[], _now: number, tally: RowTally): readonly PopulationRow[] {
  const years = [...new Set(rows.map(({ year }) => year))].sort((a, b) => b - a);
  const ofYear = (year: number | undefined): readonly PopulationRow[] => rows.filter((row) => row.year === year);
  const chosen = years.find((year) => countriesIn(ofYear(year)) >= COUNTRIES_MIN) ?? years[0];
  return tally.filter(rows, { "other year": ({ year }) => year === chosen });
}

function countriesIn(rows: readonly PopulationRow[]): number {
  return displacementYear(rows)?.countries.length ?? 0;
}

/** Displaced people by country of origin and of asylum, at the end of the newest year with enough countries. */
export const displacement = dataset({
  name: "displacement",
  title: "Displacement by country, yearly",
  description: `Refugees, asylum seekers, internally displaced and stateless people by country of origin and of asylum, for the newest year with UNHCR figures for at least ${COUNTRIES_MIN} countries.`,
  cadenceMs: DAY_MS,
  staleAfterMs: 60 * HOUR_MS,
  partAges: contentAges.displacement.parts,
  gaps: [
    "The data of a year is published about six months after the year ends; only one year, the newest with enough countries, is kept.",
    "If only the country of origin or only the country of asylum is known, people are included in the totals and in the numbers of that country, but not in the flows.",
    "Most stateless people have the origin Stateless (XXA), which is listed like a country. So a country's `stateless`, the number of stateless people who come from it, is 0 or small; `hostStateless` is the number of stateless people who live in it.",
    "UNHCR lists only the pairs of countries of origin and asylum with at least one person. A missing pair means 0. A dash in place of a number also means 0. A row with an empty number is counted as bad, and its people are missing.",
    "The source rounds small counts to multiples of five.",
  ],
  parts,
  gateRule: `at least ${COUNTRIES_MIN} countries`,
  gate({ population }) {
    const count = countriesIn(population);
    return count < COUNTRIES_MIN ? `${count} countries, needed ${COUNTRIES_MIN}` : undefined;
  },
  view: ({ population }: RecordsOf<typeof parts>) => displacementYear(population),
  newestAt: ({ population: [row] }) => (row ? endOf(row.year) : null),
});
