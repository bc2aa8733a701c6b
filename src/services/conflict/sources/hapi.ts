import { Type } from "typebox";
import { Value } from "typebox/value";
import { header } from "../../../contract/auth.js";
import { SourceFailure, type SourceRequest, source } from "../../../contract/source.js";
import { SECOND_MS } from "../../../kit/clock.js";
import { summariesOf } from "../rules/humanitarian.js";
import { isoDay } from "./cells.js";
import { figuresOf, HapiRow, type HumanitarianRecord, hapiLicence, isFigures, monthOf } from "./hapi-row.js";

const API = "https://hapi.humdata.org/api/v2/coordination-context/conflict-events";
const PAGE_ROWS = 10_000;
const PAGES_MAX = 40;
const SPACING_MS = 1.1 * SECOND_MS;
/** Months before the last one that are tried where it is not published yet. */
const MONTHS_BACK_MAX = 3;

const Envelope = Type.Object({ data: Type.Array(Type.Unknown()) });
type JsonRequest = SourceRequest<{ readonly kind: "json" }>;

/** Events and deaths by country, division, kind and month, from the newest months. */
export const hapiConflict = source({
  id: "hdx-hapi-conflict-events",
  title: "HDX Humanitarian API, conflict events",
  home: "https://hapi.humdata.org/",
  seen: "described",
  licence: hapiLicence,
  auth: header("X-HDX-HAPI-APP-IDENTIFIER", {
    variable: "HDX_HAPI_APP_IDENTIFIER",
    description: "Base64 of `application:email`, made by yourself; without it HDX's yearly CSV files are read",
  }),
  requests: ({ now }: { readonly now: number }) => [
    {
      key: "back 0 offset 0",
      url: pageUrl(lastMonth(now), 0),
      format: { kind: "json" },
      ...{ spacingMs: SPACING_MS, timeoutMs: 60_000 },
    },
  ],
  row: HapiRow,
  rows: (document, { key }) => dataOf(document, key),
  more(document, request) {
    const count = dataOf(document, request.key).length;
    const { back, offset, month } = askedIn(request);
    if (count === 0 && offset === 0 && back < MONTHS_BACK_MAX) {
      return [{ ...request, key: `back ${back + 1} offset 0`, url: pageUrl(lastMonth(month), 0) }];
    }
    if (count < PAGE_ROWS) return [];
    const next = offset + PAGE_ROWS;
    if (next >= PAGES_MAX * PAGE_ROWS) throw new SourceFailure("changed", `expected less than ${next} rows`);
    return [{ ...request, key: `back ${back} offset ${next}`, url: pageUrl(month, next) }];
  },
  record: (row): HumanitarianRecord | undefined => figuresOf(row),
  observedAt: monthOf,
  assemble: (records): readonly HumanitarianRecord[] => summariesOf(records.filter(isFigures)),
});

/** All levels are asked for: countries with a response plan have rows of their divisions alone. */
function pageUrl(month: number, offset: number): string {
  return `${API}?output_format=json&start_date=${isoDay(month)}&limit=${PAGE_ROWS}&offset=${offset}`;
}

/** First day of the month before that of `at`. */
function lastMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1);
}

function askedIn({ key, url }: JsonRequest): {
  readonly back: number;
  readonly offset: number;
  readonly month: number;
} {
  const [back = 0, offset = 0] = (key.match(/\d+/g) ?? []).map(Number);
  return { back, offset, month: Date.parse(new URL(url).searchParams.get("start_date") ?? "") };
}

function dataOf(document: unknown, key: string): readonly unknown[] {
  if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", `expected data[] in ${key}`);
  return document.data;
}
