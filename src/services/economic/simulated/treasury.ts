import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { type CurveDay, curveDaysBy } from "./models/yield-curve.js";

interface Column {
  readonly name: string;
  /** First day with a value. */
  readonly from: string;
  /** First and last day of the period in which the tenor was discontinued. */
  readonly gap?: readonly [from: string, to: string];
}

const THIRTY_YEAR: Column = { name: "BC_30YEAR", from: "1990-01-02", gap: ["2002-02-19", "2006-02-08"] };

/** The columns in the order of `TENOR_YEARS`. The Treasury states the dates on its page about the feed. */
const COLUMNS: readonly Column[] = [
  { name: "BC_1MONTH", from: "2001-07-31" },
  { name: "BC_1_5MONTH", from: "2025-02-18" },
  { name: "BC_2MONTH", from: "2018-10-16" },
  { name: "BC_3MONTH", from: "1990-01-02" },
  { name: "BC_4MONTH", from: "2022-10-19" },
  { name: "BC_6MONTH", from: "1990-01-02" },
  { name: "BC_1YEAR", from: "1990-01-02" },
  { name: "BC_2YEAR", from: "1990-01-02" },
  { name: "BC_3YEAR", from: "1990-01-02" },
  { name: "BC_5YEAR", from: "1990-01-02" },
  { name: "BC_7YEAR", from: "1990-01-02" },
  { name: "BC_10YEAR", from: "1990-01-02" },
  { name: "BC_20YEAR", from: "1993-10-01" },
  THIRTY_YEAR,
];

const PATH = "/resource-center/data-chart-center/interest-rates/pages/xml";
const ITEM = `${PATH}-item?data=daily_treasury_yield_curve`;
const SCHEMAS = "http://schemas.microsoft.com/ado/2007/08/dataservices";

/** US Treasury daily par yield curve: one Atom document per year or month, oldest day first. */
export const upstream = simulatedUpstream({
  name: "treasury",
  routes: [
    {
      host: "home.treasury.gov",
      path: PATH,
      handle: answerFeed,
      variants: {
        changed: (feed) => feed.replaceAll("d:NEW_DATE", "d:QUOTE_DATE").replaceAll("d:BC_", "d:PAR_"),
        empty: (feed) => feed.replace(/<entry>[\s\S]*<\/entry>\n/, ""),
        badRow: (feed) => rewriteMiddle(feed, /<entry>[\s\S]*?<\/entry>/g, nonsenseEntry),
      },
    },
  ],
});

function answerFeed({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  if (url.searchParams.get("data") !== "daily_treasury_yield_curve") {
    return {
      status: 404,
      contentType: "text/html; charset=UTF-8",
      body: "<!DOCTYPE html><title>Page not found</title>\n",
    };
  }
  const now = clock.now();
  const period = periodOf(url.searchParams);
  const days = curveDaysBy(now, seed).filter((day) => period !== undefined && day.on.startsWith(period));
  return { status: 200, contentType: "text/xml; charset=UTF-8", body: feedOf(days, now), etag: true };
}

/**
 * Returns the prefix that the requested dates have in common, `2019-` or `2026-08-`; undefined if the request has no
 * year or month.
 */
function periodOf(query: URLSearchParams): string | undefined {
  const month = /^(\d{4})(\d{2})$/.exec(query.get("field_tdr_date_value_month") ?? "");
  if (month !== null) return `${month[1]}-${month[2]}-`;
  const year = /^\d{4}$/.exec(query.get("field_tdr_date_value") ?? "");
  return year === null ? undefined : `${year[0]}-`;
}

/**
 * Writes the document with exactly the site's white space. The site sets `updated` to the time of the request; here it
 * is the time at which the newest day was published, so that an unchanged document keeps its bytes and its ETag.
 */
function feedOf(days: readonly CurveDay[], now: number): string {
  return `<?xml version="1.0" encoding="utf-8" standalone="yes" ?>
<feed xml:base="https://home.treasury.gov${PATH}" xmlns:d="${SCHEMAS}" xmlns:m="${SCHEMAS}/metadata" xmlns="http://www.w3.org/2005/Atom"> 
<title type="text">DailyTreasuryYieldCurveRateData</title>
<id>https://home.treasury.gov${ITEM}</id>
  <updated>${instant(days.at(-1)?.publishedAt ?? now)}</updated>
  <link rel="self" title="DailyTreasuryYieldCurveRateData" href="DailyTreasuryYieldCurveRateData"/>
${days.map(entryOf).join("")}</feed>`;
}

function entryOf(day: CurveDay): string {
  return `<entry>
<id>https://home.treasury.gov${ITEM}&amp;id=${day.number}</id>
<title type="text"></title>
<updated>${instant(day.publishedAt)}</updated>
<author><name /></author>
<link rel="edit" title="DailyTreasuryYieldCurveRateDatum" href="${ITEM}&amp;id=${day.number}" />
<category term="TreasuryDataWarehouseModel.DailyTreasuryYieldCurveRateDatum" scheme="${SCHEMAS}/scheme" />
<content type="application/xml">
<m:properties>
<d:Id m:type="Edm.Int32">${day.number}</d:Id>
<d:NEW_DATE m:type="Edm.DateTime">${day.on}T00:00:00</d:NEW_DATE>
${COLUMNS.map((column, index) => cellOf(column, day, day.yields[index] ?? 0)).join("")}${displayOf(day)}</m:properties>
</content>
</entry>
`;
}

/**
 * Formats the value of a tenor. For days before a tenor exists, the site omits it in some years and sends null in
 * others; the simulator omits it in odd years and sends null in even years.
 */
function cellOf({ name, from, gap }: Column, { on }: CurveDay, percent: number): string {
  const discontinued = gap !== undefined && on >= gap[0] && on <= gap[1];
  if (on < from && Number(on.slice(0, 4)) % 2 === 1) return "";
  if (on < from || discontinued) return `<d:${name} m:type="Edm.Double" m:null="true" />\n`;
  return `<d:${name} m:type="Edm.Double">${percent.toFixed(2)}</d:${name}>\n`;
}

/** Formats the extra column, which repeats the 30-year yield and shows 0 if that yield was not published. */
function displayOf(day: CurveDay): string {
  const cell = cellOf({ ...THIRTY_YEAR, name: "BC_30YEARDISPLAY" }, day, day.yields.at(-1) ?? 0);
  return cell.replace(' m:null="true" />', ">0</d:BC_30YEARDISPLAY>");
}

function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function nonsenseEntry(entry: string): string {
  return entry
    .replace(/(?<open><d:NEW_DATE[^>]*>)[^<]*/, "$<open>2019-13-45T00:00:00")
    .replace(/(?<open><d:BC_10YEAR [^>]*>)[^<]*/, "$<open>abc");
}
