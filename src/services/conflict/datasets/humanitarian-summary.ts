import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import { HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import type { StoredSummary } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { hapiConflict } from "../sources/hapi.js";
import { hapiConflictCsv } from "../sources/hapi-csv.js";
import { monthOf } from "../sources/hapi-row.js";

const COUNTRIES_MIN = 23;

const parts = {
  months: part<StoredSummary, { readonly now: number }>({
    sources: [hapiConflict, hapiConflictCsv],
    identity: ["countryCode"],
    plan: ({ now }) => ({ now }),
  }),
};

/** Conflict in each country in its latest month. */
export const humanitarianSummary = dataset({
  name: "humanitarian-summary",
  title: "Conflict by country, latest month",
  description:
    "By country, for the latest month that HDX HAPI has published: the number of events of political violence, the number of demonstrations and the number of deaths. Events that target civilians are also counted separately.",
  cadenceMs: 2 * HOUR_MS,
  staleAfterMs: 300 * MINUTE_MS,
  partAges: contentAges.humanitarianSummary.parts,
  gaps: [
    "The counts of a country without a row of its own are the sums of its divisions. The latest month may differ between countries.",
    "Civilian targeting is part of political violence in the source, so the two are never added. If a place has only a row of civilian targeting, that row counts as its political violence.",
    "The source does not count deaths in demonstrations.",
    "Countries that the source does not follow have no summary.",
  ],
  parts,
  gateRule: `at least ${COUNTRIES_MIN} countries`,
  gate({ months }) {
    const count = months.length;
    return count < COUNTRIES_MIN ? `${count} countries, needed ${COUNTRIES_MIN}` : undefined;
  },
  view: ({ months }: RecordsOf<typeof parts>): ReadonlyMap<string, StoredSummary> =>
    new Map(months.map((summary) => [summary.countryCode, summary])),
  newestAt: ({ months }) =>
    months.reduce<number | null>((newest, record) => Math.max(newest ?? 0, monthOf(record)), null),
});
