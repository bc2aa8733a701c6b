import { dataset, type MergeContext, part, type RecordsOf } from "../../../contract/dataset.js";
import { among } from "../../../contract/row-tally.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { counted } from "../../../kit/counted.js";
import type { TreasuryParYieldCurve } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { treasuryYields } from "../sources/treasury-yields.js";

const FIRST_YEAR = 1990;
const FIRST_MONTH_END = Date.UTC(FIRST_YEAR, 1);
const DAYS_MIN = 5_000;

const yearOf = (at: number): number => new Date(at).getUTCFullYear();

const parts = {
  curves: part({
    sources: [treasuryYields],
    identity: ["date"],
    plan: ({ kept, now }: { readonly kept: readonly TreasuryParYieldCurve[]; readonly now: number }) => ({
      years: yearsFrom(newestYear(kept) ?? FIRST_YEAR, yearOf(now)),
      incompleteYears: incompleteYears(kept),
      now,
    }),
    merge: mergedByDate,
  }),
};

/**
 * Returns the years from `first` to `last`, always including `first`. The first run requests every year since 1990.
 * Later runs start with the year of the newest stored day. They usually request one year, but two around New Year and
 * more after a long pause.
 */
function yearsFrom(first: number, last: number): number[] {
  return Array.from({ length: Math.max(last - first + 1, 1) }, (_, offset) => first + offset);
}

function newestYear(curves: readonly TreasuryParYieldCurve[]): number | undefined {
  const newest = curves.at(-1);
  return newest && yearOf(newest.date);
}

/** Two consecutive stored curves with days missing between them. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

/**
 * Maximum time between two consecutive curves. Weekends and holidays leave at most four days; after 11 September 2001
 * there were three.
 */
const CURVES_APART_MS_MAX = 7 * DAY_MS;

function gapsIn(curves: readonly TreasuryParYieldCurve[]): readonly Gap[] {
  return curves.slice(1).flatMap(({ date: to }, index) => {
    const from = curves[index]?.date ?? to;
    return to - from > CURVES_APART_MS_MAX ? [{ from, to }] : [];
  });
}

/**
 * Returns the years before the newest one of which days are missing, for example because the document of a year was
 * cut. They are requested again, because later runs would otherwise never read them.
 */
function incompleteYears(curves: readonly TreasuryParYieldCurve[]): number[] {
  const newest = newestYear(curves);
  const years = gapsIn(curves).flatMap(({ from, to }) => yearsFrom(yearOf(from), yearOf(to)));
  return [...new Set(years)].filter((year) => year !== newest);
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function mergedByDate(
  kept: readonly TreasuryParYieldCurve[],
  fresh: readonly TreasuryParYieldCurve[],
  { tally }: MergeContext,
): TreasuryParYieldCurve[] {
  const all = [...kept, ...fresh];
  const merged = [...new Map(all.map((curve) => [curve.date, curve])).values()];
  tally.narrowed("read again", all, merged, among(merged));
  return merged.sort((a, b) => a.date - b.date);
}

/** US Treasury par yields of every business day since 1990. */
export const usTreasuryYields = dataset({
  name: "us-treasury-yields",
  title: "US Treasury par yield curve, daily",
  description: "Par yields of 14 tenors for every business day since 1990, as published by the US Treasury.",
  cadenceMs: DAY_MS,
  staleAfterMs: 72 * HOUR_MS,
  keepsFormerRows: true,
  partAges: contentAges.usTreasuryYields.parts,
  gaps: [
    "Tenors start at different dates; the 30-year tenor was not published from 2002-02-19 to 2006-02-08.",
    "Days without any published tenor are left out.",
    "If days of a year are missing from its document, the dataset is partial, and the year is requested again in every run.",
  ],
  parts,
  gateRule: `at least ${DAYS_MIN.toLocaleString("en")} days, the first in January 1990, and a 2-year or 10-year value on the latest day`,
  gate({ curves }) {
    const first = curves[0]?.date;
    if (curves.length < DAYS_MIN) return `${curves.length} days, needed ${DAYS_MIN}`;
    if (first === undefined || yearOf(first) < FIRST_YEAR || first >= FIRST_MONTH_END) {
      return `history starts ${dayOf(first ?? 0)}, needed January 1990`;
    }
    const newest = curves.at(-1);
    return newest?.twoYear === undefined && newest?.tenYear === undefined
      ? "the newest day has neither a 2-year nor a 10-year value"
      : undefined;
  },
  lacking({ curves }) {
    const [gap, ...others] = gapsIn(curves);
    if (gap === undefined) return undefined;
    const more = others.length > 0 ? `, nor in ${counted(others.length, "other period")}` : "";
    return `no curves are known between ${dayOf(gap.from)} and ${dayOf(gap.to)}${more}`;
  },
  view: ({ curves }: RecordsOf<typeof parts>) => ({ curves: [...curves], latest: curves.slice(-1) }),
  newestAt: ({ curves }) => curves.at(-1)?.date ?? null,
});
