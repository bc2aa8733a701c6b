import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { BadRow, type Credential, SourceFailure, type SourceRequest, source } from "../../../contract/source.js";
import { DAY_MS } from "../../../kit/clock.js";
import { type BetaViolenceEvent, type ViolenceType, violenceTypes } from "../records.js";
import { countOf, dayOf, isoDay, positionOf } from "./cells.js";

const API = "https://ucdpapi.pcr.uu.se/api/gedevents/";
const PAGE_ROWS = 1_000;
/** Pages of one release that are read, the last ones: a window that was asked for and not kept to has more. */
const PAGES_MAX = 80;
/** A year behind the newest event, which is this much older than now at most. */
const REACH_DAYS = 365 + 120;
/** Annual releases that are tried; that of a year comes out around its middle. */
const YEARS_TRIED = 3;
/** Monthly releases that are tried, from that of next month back. */
const MONTHS_TRIED = 5;
/** From this month on an annual release holds all of the year before. */
const ANNUAL_OUT_MONTH = 7;

const token: Credential = {
  variable: "UCDP_ACCESS_TOKEN",
  description: "Token of the UCDP API, which asks for one where it is asked often; without it UCDP is read without",
};

const Cell = Type.Union([Type.Number(), Type.String()]);
const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** One row of the API; the published CSV has the same columns, all of them text. */
export const GedRow = Type.Object({
  id: Cell,
  date_start: Type.String(),
  date_end: Type.String(),
  country: Type.String({ minLength: 1 }),
  side_a: Type.String({ minLength: 1 }),
  side_b: Type.String({ minLength: 1 }),
  best: Cell,
  low: Cell,
  high: Cell,
  type_of_violence: Cell,
  latitude: Type.Union([Cell, Type.Null()]),
  longitude: Type.Union([Cell, Type.Null()]),
  source_original: Text,
});

const Envelope = Type.Object({ TotalPages: Type.Integer({ minimum: 0 }), Result: Type.Array(Type.Unknown()) });

type Series = "annual" | "candidate";
type JsonRequest = SourceRequest<{ readonly kind: "json" }>;
interface Plan {
  readonly now: number;
}

const requestsOf: Readonly<Record<Series, (now: number, accessToken: string | undefined) => JsonRequest>> = {
  annual(now, accessToken) {
    const year = new Date(now).getUTCFullYear();
    const versions = Array.from({ length: YEARS_TRIED }, (_, back) => `${(year - back) % 100}.1`);
    return firstOf(versions.map((version) => firstPage("annual", version, now, accessToken)));
  },
  candidate(now, accessToken) {
    const versions = Array.from({ length: MONTHS_TRIED }, (_, back) => candidateVersion(now, 1 - back));
    return firstOf(versions.map((version) => firstPage("newest candidate", version, now, accessToken)));
  },
};

/** Events of one series of the Georeferenced Event Dataset, with or without a token. */
const ged = (series: Series, hasToken: boolean) =>
  source({
    id: `ucdp-${series}${hasToken ? "-token" : ""}`,
    title: `UCDP Georeferenced Event Dataset, ${series}${hasToken ? ", with a token" : ""}`,
    home: "https://ucdp.uu.se/apidocs/",
    seen: "described",
    licence: {
      name: "CC BY 4.0",
      url: "https://creativecommons.org/licenses/by/4.0/",
      attribution: "Uppsala Conflict Data Program (UCDP), Georeferenced Event Dataset, ucdp.uu.se",
      open: true,
    },
    credentials: hasToken ? [token] : [],
    requests: ({ now }: Plan, credentials) => [requestsOf[series](now, credentials[token.variable])],
    row: GedRow,
    rows: (document, { key }) => pageOf(document, key).Result,
    more: (document, request) => furtherRequests(pageOf(document, request.key), request),
    record: gedEvent,
    observedAt: ({ dateEnd }) => dateEnd,
  });

export const gedAnnualWithToken = ged("annual", true);
export const gedAnnual = ged("annual", false);
export const gedCandidateWithToken = ged("candidate", true);
export const gedCandidate = ged("candidate", false);

/** `26.0.10` is the release of October 2026. */
function candidateVersion(now: number, months: number): string {
  const date = new Date(now);
  const month = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months));
  return `${month.getUTCFullYear() % 100}.0.${month.getUTCMonth() + 1}`;
}

function firstPage(series: string, version: string, now: number, accessToken: string | undefined): JsonRequest {
  return {
    key: `${series} ${version} page 0`,
    url: `${API}${version}?pagesize=${PAGE_ROWS}&page=0&StartDate=${isoDay(now - REACH_DAYS * DAY_MS)}`,
    format: { kind: "json" },
    timeoutMs: 60_000,
    ...(accessToken !== undefined && { secretHeaders: { "x-ucdp-access-token": accessToken } }),
  };
}

/** The first request, each with the next as what to ask where its release does not exist. */
function firstOf(requests: readonly JsonRequest[]): JsonRequest {
  const [first, ...others] = requests;
  if (first === undefined) throw new Error("no release to ask for");
  return others.length === 0 ? first : { ...first, orElse: firstOf(others) };
}

function pageOf(document: unknown, key: string): Static<typeof Envelope> {
  if (!Value.Check(Envelope, document))
    throw new SourceFailure("changed", `expected TotalPages and Result[] in ${key}`);
  return document;
}

/** What a first page calls for: the release before where this one is empty, else its other pages and months. */
function furtherRequests(
  { Result, TotalPages }: Static<typeof Envelope>,
  request: JsonRequest,
): readonly JsonRequest[] {
  if (!request.key.endsWith(" page 0")) return [];
  if (Result.length === 0) return request.orElse ? [request.orElse] : [];
  const { orElse: _orElse, ...asked } = request;
  const first = Math.max(1, TotalPages - PAGES_MAX + 1);
  const pages = Array.from({ length: Math.max(0, TotalPages - first) }, (_, index): JsonRequest => {
    const url = asked.url.replace("&page=0", `&page=${first + index}`);
    return { ...asked, url, key: asked.key.replace(/0$/, String(first + index)) };
  });
  return [...pages, ...earlierMonths(asked)];
}

/** A monthly release holds its month alone; those since the last annual release make the series. */
function earlierMonths(newest: JsonRequest): readonly JsonRequest[] {
  const [, year, month] = (/^newest candidate (\d+)\.0\.(\d+) /.exec(newest.key) ?? []).map(Number);
  if (year === undefined || month === undefined) return [];
  const months = month < ANNUAL_OUT_MONTH ? month + 11 : month - 1;
  return Array.from({ length: months }, (_, index): JsonRequest => {
    const version = candidateVersion(Date.UTC(2000 + year, month - 1), -1 - index);
    const url = newest.url.replace(/gedevents\/[^?]+/, `gedevents/${version}`);
    return { ...newest, url, key: `candidate ${version} page 0`, orElse: null };
  });
}

const typeOfCode: Readonly<Record<string, ViolenceType>> = {
  "1": violenceTypes[1],
  "2": violenceTypes[2],
  "3": violenceTypes[3],
};

function gedEvent(row: Static<typeof GedRow>): BetaViolenceEvent {
  const location = positionOf(row.latitude, row.longitude);
  const sourceOriginal = row.source_original?.replace(/\s+/g, " ").trim();
  return {
    id: `ucdp-${row.id}`,
    country: row.country,
    dateStart: dayOf(row.date_start),
    dateEnd: dayOf(row.date_end),
    deathsBest: estimateOf(row.best),
    deathsHigh: estimateOf(row.high),
    deathsLow: estimateOf(row.low),
    ...(location && { location }),
    sideA: row.side_a.trim(),
    sideB: row.side_b.trim(),
    ...(sourceOriginal && { sourceOriginal }),
    violenceType: typeOfCode[String(row.type_of_violence)] ?? violenceTypes[0],
  };
}

function estimateOf(cell: number | string): number {
  const count = countOf(cell);
  if (count === undefined) throw new BadRow("an estimate of deaths is blank");
  return count;
}
