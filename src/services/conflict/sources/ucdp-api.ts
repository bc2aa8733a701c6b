import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { header } from "../../../contract/auth.js";
import { SourceFailure, type SourceRequest, source } from "../../../contract/source.js";
import { isoDay } from "./cells.js";
import { annualYears, type CandidateRelease, earlierCandidates, firstOf, newestCandidates } from "./ucdp-releases.js";
import { GedRow, gedEvent, reachStart, ucdpLicence } from "./ucdp-row.js";

const API = "https://ucdpapi.pcr.uu.se/api/gedevents/";
const PAGE_ROWS = 1_000;
/** Pages of one release that are read, the last ones: a window that was asked for and not kept to has more. */
const PAGES_MAX = 80;

const auth = header("x-ucdp-access-token", {
  variable: "UCDP_ACCESS_TOKEN",
  description: "Token of the UCDP API; without it UCDP's published files are read",
});

const Envelope = Type.Object({ TotalPages: Type.Integer({ minimum: 0 }), Result: Type.Array(Type.Unknown()) });

type Series = "annual" | "candidate";
type JsonRequest = SourceRequest<{ readonly kind: "json" }>;
interface Plan {
  readonly now: number;
}

/** `26.0.10` is the candidate release of October 2026. */
const candidateVersion = ({ year, month }: CandidateRelease): string => `${year % 100}.0.${month}`;

const versionsOf: Readonly<Record<Series, (now: number) => readonly string[]>> = {
  annual: (now) => annualYears(now).map((year) => `${year % 100}.1`),
  candidate: (now) => newestCandidates(now).map(candidateVersion),
};

const keyOf: Readonly<Record<Series, string>> = { annual: "annual", candidate: "newest candidate" };

/** Events of one series of the Georeferenced Event Dataset through the API, which answers 401 without a token. */
const gedApi = (series: Series) =>
  source({
    id: `ucdp-${series}-token`,
    title: `UCDP Georeferenced Event Dataset, ${series}, with a token`,
    home: "https://ucdp.uu.se/apidocs/",
    seen: "described",
    licence: ucdpLicence,
    auth,
    requests: ({ now }: Plan) => [
      firstOf(versionsOf[series](now).map((version) => firstPage(keyOf[series], version, now))),
    ],
    row: GedRow,
    rows: (document, { key }) => pageOf(document, key).Result,
    more: (document, request) => furtherRequests(pageOf(document, request.key), request),
    record: gedEvent,
    observedAt: ({ dateEnd }) => dateEnd,
  });

export const gedAnnualApi = gedApi("annual");
export const gedCandidateApi = gedApi("candidate");

function firstPage(series: string, version: string, now: number): JsonRequest {
  return {
    key: `${series} ${version} page 0`,
    url: `${API}${version}?pagesize=${PAGE_ROWS}&page=0&StartDate=${isoDay(reachStart(now))}`,
    format: { kind: "json" },
    timeoutMs: 60_000,
  };
}

function pageOf(document: unknown, key: string): Static<typeof Envelope> {
  if (!Value.Check(Envelope, document))
    throw new SourceFailure("changed", `expected TotalPages and Result[] in ${key}`);
  return document;
}

/** The requests that a first page calls for: the release before where this one is empty, else its other pages and months. */
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
  return earlierCandidates({ year: 2000 + year, month }).map((release): JsonRequest => {
    const version = candidateVersion(release);
    const url = newest.url.replace(/gedevents\/[^?]+/, `gedevents/${version}`);
    return { ...newest, url, key: `candidate ${version} page 0`, orElse: null };
  });
}
