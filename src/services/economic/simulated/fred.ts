import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { type IndexMonth, indexMonthsBy, monthNumber, type PriceSeries } from "./models/price-index.js";

/**
 * The start levels are round numbers near those of the real series. The spreads make shelter and services grow faster
 * than goods.
 */
const SERIES: readonly PriceSeries[] = [
  { id: "CPIAUCSL", firstMonth: monthNumber(1947, 1), startLevel: 21.5, spread: 0, surprise: 0.12 },
  { id: "CPILFESL", firstMonth: monthNumber(1957, 1), startLevel: 28.5, spread: 0.1, surprise: 0.08 },
  { id: "CPIUFDSL", firstMonth: monthNumber(1947, 1), startLevel: 23, spread: -0.1, surprise: 0.35 },
  { id: "CPIENGSL", firstMonth: monthNumber(1957, 1), startLevel: 21.5, spread: 0.2, surprise: 2.1 },
  { id: "CUSR0000SAH1", firstMonth: monthNumber(1953, 1), startLevel: 22, spread: 0.5, surprise: 0.1 },
  { id: "CUSR0000SAS", firstMonth: monthNumber(1956, 1), startLevel: 21, spread: 0.7, surprise: 0.1 },
];

const OBSERVATIONS_MAX = 100_000;
const JSON_TYPE = "application/json; charset=UTF-8";

/**
 * Simulates the two interfaces of FRED: the graph download (CSV), which needs no key, and the API (JSON), which needs
 * one.
 */
export const upstream = simulatedUpstream({
  name: "fred",
  routes: [
    {
      host: "fred.stlouisfed.org",
      path: "/graph/fredgraph.csv",
      handle: answerGraph,
      variants: {
        changed: (csv) => csv.replace(/^observation_date,(.*)$/m, "DATE;VALUE OF $1").replaceAll(",", ";"),
        empty: (csv) => csv.slice(0, csv.indexOf("\n") + 1),
        badRow: (csv) => rewriteMiddle(csv, /^\d{4}-.*$/gm, () => "2019-13-45,abc"),
      },
    },
    {
      host: "api.stlouisfed.org",
      path: "/fred/series/observations",
      handle: answerObservations,
      variants: {
        changed: (json) => json.replace('"observations":', '"data":').replaceAll('"date":', '"period":'),
        empty: (json) =>
          json.replace(/"count":\d+/, '"count":0').replace(/"observations":\[.*\]/s, '"observations":[]'),
        badRow: (json) =>
          rewriteMiddle(json, /"date":"[^"]*","value":"[^"]*"/g, () => '"date":"2019-13-45","value":"abc"'),
      },
    },
  ],
});

function answerGraph({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const series = seriesNamed(url.searchParams.get("id"));
  if (series === undefined) {
    return { status: 404, contentType: "text/html; charset=UTF-8", body: "<!DOCTYPE html><title>Error 404</title>\n" };
  }
  const months = indexMonthsBy(clock.now(), seed, series);
  const rows = months.map(({ on, level }) => `${on},${level?.toFixed(3) ?? ""}\n`);
  return {
    status: 200,
    contentType: "application/csv",
    headers: { "Content-Disposition": "attachment; filename=fredgraph.csv" },
    body: `observation_date,${series.id}\n${rows.join("")}`,
    ...lastModified(months),
  };
}

function answerObservations({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const query = url.searchParams;
  const series = seriesNamed(query.get("series_id"));
  const complaint = complaintAbout(query, series);
  if (complaint !== undefined || series === undefined) return badRequest(complaint ?? "");
  const months = indexMonthsBy(clock.now(), seed, series);
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  return { status: 200, contentType: JSON_TYPE, body: envelope(query, months, today), ...lastModified(months) };
}

function seriesNamed(id: string | null): PriceSeries | undefined {
  return SERIES.find((series) => series.id === id);
}

/**
 * Returns the sentence for the first error of the request; undefined if there is none. The sentence has FRED's wording
 * (two spaces included), except for an unsupported `file_type`.
 */
function complaintAbout(query: URLSearchParams, series: PriceSeries | undefined): string | undefined {
  const key = query.get("api_key");
  const readMore = "Read https://fred.stlouisfed.org/docs/api/api_key.html for more information.";
  if (key === null) return `Variable api_key is not set.  ${readMore}`;
  if (!/^[0-9a-z]{32}$/.test(key)) {
    return `The value for variable api_key is not a 32 character alpha-numeric lower-case string.  ${readMore}`;
  }
  if (query.get("file_type") !== "json") return "Vigil's simulator supports only file_type=json.";
  return series === undefined ? "The series does not exist." : undefined;
}

function badRequest(complaint: string): SimulatedAnswer {
  const body = JSON.stringify({ error_code: 400, error_message: `Bad Request.  ${complaint}` });
  return { status: 400, contentType: JSON_TYPE, body };
}

function envelope(query: URLSearchParams, published: readonly IndexMonth[], today: string): string {
  const from = query.get("observation_start") ?? "1600-01-01";
  const to = query.get("observation_end") ?? "9999-12-31";
  const newestFirst = query.get("sort_order") === "desc";
  const offset = Number(query.get("offset") ?? 0);
  const limit = Number(query.get("limit") ?? OBSERVATIONS_MAX);
  const months = published.filter(({ on }) => on >= from && on <= to);
  const page = (newestFirst ? months.toReversed() : months).slice(offset, offset + limit);
  return JSON.stringify({
    realtime_start: today,
    realtime_end: today,
    observation_start: from,
    observation_end: to,
    units: "lin",
    output_type: 1,
    file_type: "json",
    order_by: "observation_date",
    sort_order: newestFirst ? "desc" : "asc",
    count: months.length,
    offset,
    limit,
    observations: page.map((month) => observation(month, today)),
  });
}

/** Formats a month as the API does: without trailing zeros. The graph download always has three decimals. */
function observation({ on, level }: IndexMonth, today: string): Readonly<Record<string, string>> {
  return { realtime_start: today, realtime_end: today, date: on, value: level === null ? "." : String(level) };
}

function lastModified(months: readonly IndexMonth[]): { readonly lastModifiedAt?: number } {
  const newest = months.at(-1);
  return newest === undefined ? {} : { lastModifiedAt: newest.publishedAt };
}
