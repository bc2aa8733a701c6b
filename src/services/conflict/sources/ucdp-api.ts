import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { header } from "../../../contract/auth.js";
import { SourceFailure, source, step } from "../../../contract/source.js";
import { isoDay } from "./cells.js";
import { eventRanges } from "./event-ranges.js";
import { annualYears, type CandidateRelease, earlierCandidates, newestCandidates } from "./ucdp-releases.js";
import { GedRow, gedEvent, reachStart, ucdpLicence } from "./ucdp-row.js";

const API = "https://ucdpapi.pcr.uu.se/api/gedevents/";
const PAGE_ROWS = 1_000;
/**
 * Maximum number of pages read from one release. If a release has more pages, its first page and its last pages are
 * read. This happens only if the API ignores the requested start date.
 */
const PAGES_MAX = 80;

const auth = header("x-ucdp-access-token", {
  variable: "UCDP_ACCESS_TOKEN",
  description: "Token of the UCDP API; without it UCDP's published files are read",
});

const Envelope = Type.Object({ TotalPages: Type.Integer({ minimum: 0 }), Result: Type.Array(Type.Unknown()) });

interface Plan {
  readonly now: number;
}

/** An annual or a candidate release. */
interface Release {
  /** `26.1` is the annual release of 2026, `26.0.10` the candidate release of October 2026. */
  readonly version: string;
  /** Month of a candidate release. */
  readonly month?: CandidateRelease;
}

/** A page of a release. */
interface ReleasePage {
  readonly series: "annual" | "newest candidate" | "candidate";
  readonly release: Release;
  /** Releases to try, in this order, if this one is missing or empty. */
  readonly older: readonly Release[];
  /** Time of the run, epoch ms. The requested window begins at `reachStart` of this time. */
  readonly now: number;
  /** From 0. */
  readonly page: number;
}

const candidateRelease = (month: CandidateRelease): Release => ({
  version: `${month.year % 100}.0.${month.month}`,
  month,
});

/**
 * Defines the source of one series (annual or candidate releases) of the Georeferenced Event Dataset. It reads the API,
 * which requires a token.
 */
const gedApi = (name: "annual" | "candidate", ask: (plan: Plan) => readonly ReleasePage[]) =>
  source({
    id: `ucdp-${name}-token`,
    title: `UCDP Georeferenced Event Dataset, ${name}, with a token`,
    home: "https://ucdp.uu.se/apidocs/",
    seen: "described",
    licence: ucdpLicence,
    auth,
    steps: {
      page: step({
        ask,
        request: ({ series, release: { version }, now, page }) => ({
          key: `${series} ${version} page ${page}`,
          url: `${API}${version}?pagesize=${PAGE_ROWS}&page=${page}&StartDate=${isoDay(reachStart(now))}`,
          timeoutMs: 60_000,
        }),
        instead: ({ status }, page) => (status === 404 ? olderPages(page) : undefined),
        format: { kind: "json" },
        row: GedRow,
        rows: (document, page) => pageOf(document, page).Result,
        more: (document, page) => furtherPages(pageOf(document, page), page),
        record: gedEvent,
      }),
    },
    ranges: eventRanges,
    observedAt: ({ dateEnd }) => dateEnd,
  });

export const gedAnnualApi = gedApi("annual", ({ now }) => {
  const releases = annualYears(now).map((year) => ({ version: `${year % 100}.1` }));
  return newestPages(releases, { series: "annual", now });
});

export const gedCandidateApi = gedApi("candidate", ({ now }) =>
  newestPages(newestCandidates(now).map(candidateRelease), { series: "newest candidate", now }),
);

/**
 * Requests the first page of the first release. If this release is missing or empty, the other releases are tried in
 * their order.
 */
function newestPages(
  [release, ...older]: readonly Release[],
  { series, now }: Pick<ReleasePage, "series" | "now">,
): readonly ReleasePage[] {
  return release === undefined ? [] : [{ series, release, older, now, page: 0 }];
}

/**
 * Returns the requests that replace a missing or empty first page. Undefined for a later page, and if no release is
 * left to try.
 */
function olderPages({ series, older, now, page }: ReleasePage): readonly ReleasePage[] | undefined {
  if (page > 0) return undefined;
  // A month without a release is skipped.
  if (series === "candidate") return [];
  return older.length > 0 ? newestPages(older, { series, now }) : undefined;
}

function pageOf(document: unknown, { release: { version } }: ReleasePage): Static<typeof Envelope> {
  if (Value.Check(Envelope, document)) return document;
  throw new SourceFailure("changed", `expected TotalPages and Result[] in release ${version}`);
}

/**
 * Returns the requests that follow the first page of a release. If the page is empty, these requests are for an older
 * release; otherwise, they are for the other pages of the release and for the earlier months.
 */
function furtherPages({ Result, TotalPages }: Static<typeof Envelope>, first: ReleasePage): readonly ReleasePage[] {
  if (first.page > 0) return [];
  if (Result.length === 0) return olderPages(first) ?? [];
  const from = Math.max(1, TotalPages - PAGES_MAX + 1);
  const pages = Array.from({ length: Math.max(0, TotalPages - from) }, (_, index) => ({
    ...first,
    page: from + index,
  }));
  return [...pages, ...earlierMonths(first)];
}

/** Returns the first pages of the earlier monthly releases. A monthly release has only the events of its own month. */
function earlierMonths({ series, release: { month }, now }: ReleasePage): readonly ReleasePage[] {
  if (series !== "newest candidate" || month === undefined) return [];
  return earlierCandidates(month).map((earlier) => ({
    series: "candidate",
    release: candidateRelease(earlier),
    older: [],
    now,
    page: 0,
  }));
}
