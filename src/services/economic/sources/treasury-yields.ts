import { Type } from "typebox";
import type { XmlNode } from "../../../contract/format.js";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import type { ValueRange } from "../../../contract/value-ranges.js";
import type { TreasuryParYieldCurve } from "../records.js";
import { utcMidnight } from "./calendar-date.js";

type Tenor = Exclude<keyof TreasuryParYieldCurve, "date">;

/** The tenor of each XML element. BC_30YEARDISPLAY repeats the 30-year yield for a chart and is not a tenor. */
const tenorOf: Readonly<Record<string, Tenor>> = {
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

const yieldPercent: ValueRange = [-20, 100];

/**
 * Day of January by which a year has its first curve. The first business day is 4 January at the latest; the other days
 * are for a late publication.
 */
const FIRST_CURVE_BY = 8;

/** A calendar year of curves. */
interface CurveYear {
  readonly year: number;
  /** False in the first days of the year, when its document may still be without entries. */
  readonly hasCurves: boolean;
  /** True if the year is requested only because days of it are missing from the stored curves. */
  readonly isAgain: boolean;
}

/** The years to request, of which `years` are new, and the time. */
export interface CurvePlan {
  readonly years: readonly number[];
  /** Earlier years of which days are missing. */
  readonly incompleteYears: readonly number[];
  readonly now: number;
}

const ENDPOINT = "https://home.treasury.gov/resource-center/data-chart-center/interest-rates/pages/xml";

/**
 * The US Treasury's daily par yield curve in percent per annum. It is published as one Atom document for each year
 * since 1990.
 */
export const treasuryYields = source({
  id: "treasury-yields",
  title: "US Treasury, daily par yield curve rates",
  home: "https://home.treasury.gov/resource-center/data-chart-center/interest-rates/TextView?type=daily_treasury_yield_curve",
  seen: "recorded",
  licence: { name: "US government work", attribution: "US Department of the Treasury", open: true },
  steps: {
    year: step({
      ask({ years, incompleteYears, now }: CurvePlan): readonly CurveYear[] {
        const hasCurves = (year: number): boolean => now >= Date.UTC(year, 0, FIRST_CURVE_BY);
        return [
          ...incompleteYears.map((year) => ({ year, hasCurves: true, isAgain: true })),
          ...years.map((year) => ({ year, hasCurves: hasCurves(year), isAgain: false })),
        ];
      },
      request: ({ year }) => ({
        key: String(year),
        url: `${ENDPOINT}?data=daily_treasury_yield_curve&field_tdr_date_value=${year}`,
        timeoutMs: 60_000,
      }),
      format: { kind: "xml", root: "feed", lists: ["entry"] },
      row: Type.Object({ NEW_DATE: Type.Unknown() }, { additionalProperties: true }),
      *rows(feed, { year, hasCurves }) {
        const entries = list(feed["entry"]);
        if (hasCurves && entries.length === 0) {
          throw new SourceFailure("changed", `expected the curves of ${year}, got a document without an entry`);
        }
        for (const entry of entries) yield member(member(entry, "content"), "properties");
      },
      // A failed second reading of an earlier year does not delay the newest curves.
      instead: (_failure, { isAgain }) => (isAgain ? [] : undefined),
      record(row) {
        const curve: TreasuryParYieldCurve = {
          date: utcMidnight(text(member(row, "NEW_DATE")).replace(/T00:00:00$/, "")),
        };
        for (const [element, tenor] of Object.entries(tenorOf)) {
          const percent = percentOf(member(row, element), element);
          if (percent !== undefined) curve[tenor] = percent;
        }
        return Object.keys(curve).length > 1 ? curve : new LeftOut("no value");
      },
    }),
  },
  ranges: Object.fromEntries(Object.values(tenorOf).map((tenor) => [tenor, yieldPercent])),
  observedAt: (curve) => curve.date,
});

function list(node: XmlNode | readonly XmlNode[] | undefined): readonly XmlNode[] {
  if (node === undefined) return [];
  return Array.isArray(node) ? node : [node as XmlNode];
}

/**
 * Returns a child element; undefined if there is none. In this format, the elements read by this function are not
 * repeated.
 */
function member(node: unknown, name: string): unknown {
  return typeof node === "object" && node !== null && Object.hasOwn(node, name)
    ? (node as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** Returns the text of an element, which may have attributes; "" if it is absent or has m:null="true". */
function text(node: unknown): string {
  if (typeof node === "string") return node;
  const inner = member(node, "#text");
  return typeof inner === "string" && member(node, "@null") !== "true" ? inner : "";
}

function percentOf(node: unknown, element: string): number | undefined {
  const written = text(node);
  if (written === "") return undefined;
  const percent = Number(written);
  if (!Number.isFinite(percent)) throw new BadRow(`${element} must be a number, got "${written.slice(0, 20)}"`);
  return percent;
}
