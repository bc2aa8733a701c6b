import { Type } from "typebox";
import { Value } from "typebox/value";
import { header } from "../../../contract/auth.js";
import { SourceFailure, source, step } from "../../../contract/source.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { summariesOf } from "../rules/humanitarian.js";
import { dayOf, isoDay } from "./cells.js";
import { eventRanges } from "./event-ranges.js";
import { figuresOf, HapiRow, hapiLicence, monthOf } from "./hapi-row.js";

const API = "https://hapi.humdata.org/api/v2/coordination-context/conflict-events";
const PAGE_ROWS = 10_000;
const PAGES_MAX = 40;
const SPACING_MS = 1.1 * SECOND_MS;
/** Number of further months to go back if the month before the current one is not published yet. */
const MONTHS_BACK_MAX = 3;

const Envelope = Type.Object({ data: Type.Array(Type.Unknown()) });

/** A page of the rows of a month and of all later months. */
interface MonthPage {
  /** First day of the month, epoch ms. */
  readonly month: number;
  /** Number of months by which this month is earlier than the month that the run requested first. */
  readonly back: number;
  /** Number of rows before the page. */
  readonly offset: number;
}

/** Events and deaths by country, division and kind, since the first day of the newest published month. */
export const hapiConflict = source({
  id: "hdx-hapi-conflict-events",
  title: "HDX Humanitarian API, conflict events",
  home: "https://hapi.humdata.org/",
  seen: "described",
  licence: hapiLicence,
  auth: header("X-HDX-HAPI-APP-IDENTIFIER", {
    variable: "HDX_HAPI_APP_IDENTIFIER",
    description: "Base64 of `application:email`, which you encode yourself; without it HDX's yearly CSV files are read",
  }),
  steps: {
    page: step({
      ask: ({ now }: { readonly now: number }): readonly MonthPage[] => [{ month: lastMonth(now), back: 0, offset: 0 }],
      request: ({ month, back, offset }) => ({
        key: `back ${back} offset ${offset}`,
        // All administrative levels are requested, because countries with a response plan have rows only for divisions.
        url: `${API}?output_format=json&start_date=${isoDay(month)}&limit=${PAGE_ROWS}&offset=${offset}`,
        spacingMs: SPACING_MS,
        timeoutMs: 60_000,
      }),
      format: { kind: "json" },
      row: HapiRow,
      rows: dataOf,
      more(document, page) {
        const { month, back, offset } = page;
        const count = dataOf(document, page).length;
        if (count === 0 && offset === 0 && back < MONTHS_BACK_MAX) {
          return [{ month: lastMonth(month), back: back + 1, offset }];
        }
        if (count < PAGE_ROWS) return [];
        const next = offset + PAGE_ROWS;
        if (next >= PAGES_MAX * PAGE_ROWS) throw new SourceFailure("changed", `expected fewer than ${next} rows`);
        return [{ month, back, offset: next }];
      },
      record: figuresOf,
      observedAt: ({ period }) => dayOf(period),
    }),
  },
  combine: ({ page }, tally) => summariesOf(page.records, tally),
  ranges: eventRanges,
  observedAt: monthOf,
});

/** Returns the first day of the month before the month of `at`. */
function lastMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1);
}

function dataOf(document: unknown, { month, offset }: MonthPage): readonly unknown[] {
  if (Value.Check(Envelope, document)) return document.data;
  throw new SourceFailure("changed", `expected data[] at offset ${offset} of the rows since ${isoDay(month)}`);
}
