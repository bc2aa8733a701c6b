import type { Static, TSchema } from "typebox";
import type { Feed } from "../feeds/read-feed.js";
import type { Auth, Credential } from "./auth.js";
import type { ValueRange } from "./value-ranges.js";

/** How the bytes of an answer are to be read, and what the reader may rely on afterwards. */
export type Format =
  | { readonly kind: "json" }
  /** `root`: the only accepted local name of the document element; `lists`: elements that are arrays even when alone. */
  | { readonly kind: "xml"; readonly root: string; readonly lists: readonly string[] }
  /** A header row names the columns; cells are trimmed text. */
  | {
      readonly kind: "csv";
      readonly delimiter?: string;
      /** The table is the one file of a zip archive, of at most so many bytes when it is unpacked. */
      readonly unzippedBytesMax?: number;
      /** The records that are read; the others are dropped as bytes. A table without any record is still `empty`. */
      readonly where?: CsvFilter;
    }
  /** Lines of cells separated by white space; lines that start with `comment` and blank lines are dropped. */
  | { readonly kind: "columns"; readonly comment: string }
  /** Lines of cells separated by tabs, as they stand and without a header; `zipped`: as the one file of a zip archive. */
  | { readonly kind: "tsv"; readonly zipped?: true }
  /** RSS, RDF, Atom or JSON Feed; with `summariesMax` only so many items have their summary, the newest. */
  | { readonly kind: "feed"; readonly summariesMax?: number }
  | { readonly kind: "text" };

/** The records whose cell of a column sorts at or after a text, byte for byte: `year` from `2025`. */
export interface CsvFilter {
  readonly column: string;
  readonly from: string;
}

/** An XML element: attributes as `@name`, text as `#text` beside other members, or plain text alone; prefixes dropped. */
export type XmlNode = string | { readonly [name: string]: XmlNode | readonly XmlNode[] };

export interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** What a format decodes to. */
export type DocumentOf<F extends Format> = F extends { kind: "json" }
  ? unknown
  : F extends { kind: "xml" }
    ? { readonly [name: string]: XmlNode | readonly XmlNode[] }
    : F extends { kind: "csv" }
      ? CsvTable
      : F extends { kind: "columns" | "tsv" }
        ? readonly (readonly string[])[]
        : F extends { kind: "feed" }
          ? Feed
          : string;

/** One question to an upstream. `url` never holds a secret: those travel in `secretQuery` and `secretHeaders`. */
export interface SourceRequest<F extends Format = Format> {
  /** Names the request within its run (a year, a series, a page), for progress and provenance. */
  readonly key: string;
  readonly url: string;
  readonly format: F;
  /** The operator named this very address: it may be private, and nothing stands in for it. */
  readonly isOperatorsOwn?: true;
  /** JSON text; makes the question a POST. */
  readonly body?: string;
  /** Fields of a form; makes the question a POST. */
  readonly form?: Readonly<Record<string, string>>;
  /** Further fields of the form, sent to nobody but the origin that `url` names. */
  readonly secretForm?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secretQuery?: Readonly<Record<string, string>>;
  readonly secretHeaders?: Readonly<Record<string, string>>;
  /** Whole exchange, connect to last byte. Default 30,000. */
  readonly timeoutMs?: number;
  /** Largest accepted body after decompression. Default 32 MiB. */
  readonly bytesMax?: number;
  /** Least time between the starts of two calls to this host, where its publisher asks for that. Default 0. */
  readonly spacingMs?: number;
  /** Asked instead where the upstream says 404: an earlier version. Null: there is nothing then, and that is no failure. */
  readonly orElse?: SourceRequest<F> | null;
  /** What the publisher's own list says of the body; anything else has not arrived whole. */
  readonly integrity?: { readonly bytes: number; readonly md5: string };
  /** Requests of one lane share turns; lanes are served evenly where a source is gathered. Default: one lane for all. */
  readonly lane?: string;
  /** For sources that judge it: epoch ms before which the newest content of the answer is too old to be taken. */
  readonly newestAtMin?: number;
}

/** What came of one request of a gathered source. */
export interface GatheredOutcome {
  /** `timeout`: time for all was over, before its turn or its answer came; `failed`: everything else without an answer. */
  readonly state: "ok" | "empty" | "timeout" | "failed";
  /** Why it failed or timed out, in words. */
  readonly error?: string;
  /** When the answer was read that is used, epoch ms; undefined without one. */
  readonly readAt?: number;
  /** What `keep` counted; empty without an answer. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * How a source of many small requests is read that have nothing to do with each other: each stands for itself, what came
 * of it is a record like any other, and none of them fails the run. Answers are shared by all runs of the process.
 */
export interface Gather<Stored = unknown> {
  /** Requests of one run; more are a mistake. */
  readonly requestsMax: number;
  /** Requests of one run under way at once. */
  readonly parallelMax: number;
  /** For all of them; what is still under way then is given up. */
  readonly timeLimitMs: number;
  /** How long an answer is used without asking again; afterwards it is asked for conditionally. */
  readonly reuseMs: number;
  /** The same for an answer that gave nothing and for a failure. */
  readonly reuseEmptyMs: number;
  /** What is kept of the records of one answer, and what was counted on the way; pure. */
  keep(
    records: readonly Stored[],
    now: number,
  ): { readonly records: readonly Stored[]; readonly counts: GatheredOutcome["counts"] };
  /** What came of a request, as a record. */
  outcome(request: SourceRequest, how: GatheredOutcome): Stored;
}

export interface Licence {
  readonly name: string;
  readonly url?: string;
  /** The sentence to show beside the data, where the publisher asks for one. */
  readonly attribution?: string;
  /** False where the terms forbid commercial use or redistribution; such sources are off with VIGIL_LICENCE_MODE=open. */
  readonly open: boolean;
}

/**
 * The evidence behind a decoder. `recorded`: it was run on a real payload of this upstream in this layout. `described`:
 * it follows the publisher's documentation, and no real payload was available.
 */
export type Seen = "recorded" | "described";

/**
 * One upstream feed: how to ask for it and how to read its answer into records. Pure: `upstream/` fetches, limits and
 * decodes; `ingest/` validates rows against `row`, counts bad ones, stamps provenance, gates and publishes.
 *
 * `Plan` is what the dataset asks for (years, series, a window); `Stored` is the record that is kept.
 */
export interface Source<Plan = unknown, F extends Format = Format, Row extends TSchema = TSchema, Stored = unknown> {
  readonly id: string;
  readonly title: string;
  /** The publisher's page about the feed. */
  readonly home: string;
  readonly seen: Seen;
  /** The part of a `recorded` source's answers that no recording shows, for example `ground stops`. */
  readonly unseen?: string;
  readonly licence: Licence;
  /** What proves who is calling; the frame attaches it to every request. Default: the upstream answers anybody. */
  readonly auth?: Auth;
  /** The credentials of `auth`; empty without it. */
  readonly credentials: readonly Credential[];
  /** Budgets of which every call takes a unit, whoever reads it; the settings say how much each holds. Default: none. */
  readonly budgets?: readonly string[];
  requests(plan: Plan): readonly SourceRequest<F>[];
  /** Only what we rely on; observed data beats the upstream's manual. */
  readonly row: Row;
  /** Row candidates in document order. Throws `SourceFailure` "changed" when the document is not the one it knows. */
  rows(document: DocumentOf<F>, request: SourceRequest<F>): Iterable<unknown>;
  /** The stored record, or undefined when the row says "no value"; throws `BadRow` for a row that makes no sense. */
  record(row: Static<Row>, request: SourceRequest<F>): Stored | undefined;
  /** When the record's observation was made, epoch ms; undefined for records that observe nothing (a list of places). */
  observedAt(record: Stored): number | undefined;
  /** Time by which an observation may lie in the future; a row further ahead is a bad one. Default: a day. */
  readonly aheadMs?: number;
  /** Ranges of the numeric fields that `valueRanges` does not name. A number outside its range makes the row a bad one. */
  readonly ranges?: Readonly<Record<string, ValueRange>>;
  /** Fewest rows of a run; 0 where a document without any is an answer (no storm is active). Default 1. */
  readonly rowsMin?: 0 | 1;
  /** Fewest records of a run; 0 where it may be that no row concerns us (every alert is green). Default 1. */
  readonly recordsMin?: 0 | 1;
  /** False for a plan that this feed cannot be asked; another source is asked instead. Default: every plan. */
  answers?(plan: Plan): boolean;
  /** Error statuses by which the upstream says that it has nothing, for reads at request time. */
  readonly missStatuses?: readonly number[];
  /** Further requests that an answer calls for: the next page, the newest file of a folder. */
  more?(document: DocumentOf<F>, request: SourceRequest<F>): readonly SourceRequest<F>[];
  /** Set where the requests have nothing to do with each other, and one that fails does not fail the run. */
  readonly gather?: Gather<Stored>;
  /**
   * Records of a request itself beside those of its rows, such as that it need not be asked again. Called with the failure
   * where it failed: the run goes on without its answer if there are any then, even none, and fails where it is undefined.
   */
  notes?(request: SourceRequest<F>, failure?: SourceFailure): readonly Stored[] | undefined;
  /** The records of all answers of a run made one, where a record takes several; pure. Default: one after the other. */
  assemble?(records: readonly Stored[]): readonly Stored[];
}

/** A source whose plan and record a part ties together; how its answers are read is its own affair. */
export type SourceOf<Plan, Stored> = Source<Plan, Format, TSchema, Stored>;

/** A source as the registries hold it: `Plan`, row and record types are known only to the dataset that uses it. */
export type AnySource = Source;

/** Declares a source; the types tie request format, decoded document, row schema and record together. */
export function source<Plan, const F extends Format, Row extends TSchema, Stored>(
  definition: Omit<Source<Plan, F, Row, Stored>, "credentials">,
): Source<Plan, F, Row, Stored> {
  return { ...definition, credentials: definition.auth?.credentials ?? [] };
}

/**
 * Why a source gave nothing, each for a different reader: `unavailable` (wait), `changed` (fix the adapter), `empty`
 * (look), `unconfigured` (set the named variable).
 */
export type SourceFailureKind = "unavailable" | "changed" | "empty" | "unconfigured";

/** A source run that ends without records. The message names the thing and what was expected; never a secret. */
export class SourceFailure extends Error {
  readonly kind: SourceFailureKind;
  /** Status of the upstream's answer, when there was one. */
  readonly status: number | undefined;
  /** When the upstream asked to be left alone until, epoch ms (from `Retry-After`). */
  readonly retryAt: number | undefined;

  constructor(
    kind: SourceFailureKind,
    message: string,
    detail: { status?: number | undefined; retryAt?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = "SourceFailure";
    this.kind = kind;
    this.status = detail.status;
    this.retryAt = detail.retryAt;
  }
}

/** One row that cannot be used; it is counted and skipped. */
export class BadRow extends Error {
  override readonly name = "BadRow";
}
