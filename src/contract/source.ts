import type { Static, TSchema } from "typebox";
import type { Auth, Credential } from "./auth.js";
import type { CsvFilter, DocumentOf, Format } from "./format.js";
import type { RowTally } from "./row-tally.js";
import type { ValueRange } from "./value-ranges.js";

/** A request of a step. It never contains a secret: the code in `ingest/` attaches the source's `auth`. */
export interface StepRequest {
  /**
   * Name of the request within its run (a year, a series, a page), for people, provenance and conditional requests.
   */
  readonly key: string;
  readonly url: string;
  /**
   * True if the operator configured this address. It may then be private, and `VIGIL_UPSTREAM_BASE` does not redirect
   * it.
   */
  readonly isOperatorsOwn?: true;
  /** JSON text; makes the request a POST. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit of the whole exchange, from connecting to the last byte. Default 30,000. */
  readonly timeoutMs?: number;
  /**
   * Largest accepted body after decompression. Default 32 MiB. Requests with a larger limit are sent one at a time,
   * because their answers take much memory.
   */
  readonly bytesMax?: number;
  /** Minimum time between the starts of two calls to this host, if its publisher requires one. Default 0. */
  readonly spacingMs?: number;
  /** Name of the publisher whose hosts share `spacingMs`. Default: only this host. */
  readonly spacedWith?: string;
  /** True if the publisher refuses callers without a contact in their user agent (403). */
  readonly needsContact?: true;
  /**
   * Selects the records of a CSV table that are decoded; the others are dropped. A table counts as `empty` only if it
   * had no records before the selection.
   */
  readonly where?: CsvFilter;
  /** The size and hash from the publisher's list; a body that does not match them counts as incomplete. */
  readonly integrity?: { readonly bytes: number; readonly md5: string };
}

/**
 * A call to an upstream. `url` never contains a secret: secrets are in the members `secret…`, and are sent only to the
 * origin of `url`.
 */
export interface SourceRequest extends StepRequest {
  /** Fields of a form; makes the request a POST. */
  readonly form?: Readonly<Record<string, string>>;
  readonly secretForm?: Readonly<Record<string, string>>;
  readonly secretQuery?: Readonly<Record<string, string>>;
  readonly secretHeaders?: Readonly<Record<string, string>>;
}

/** The outcome of one request of a gathered step. */
export interface GatheredOutcome {
  /**
   * `unchanged`: the stored records of an earlier answer are current; `timeout`: the time limit of the run passed
   * before the request finished; `unasked`: the limit passed before it started; `failed`: the request failed for
   * another reason.
   */
  readonly state: "ok" | "empty" | "unchanged" | "timeout" | "unasked" | "failed";
  /** The reason for a failure or timeout, as text for people. */
  readonly error?: string;
}

/**
 * Settings of a step with many small, independent requests. Each request yields its outcome as a record, and a failed
 * request does not fail the run. A run may make only some of the requests; the dataset's part then merges the records
 * of the run with the stored ones.
 */
export interface Gather<Plan = unknown, Context = unknown, Item = unknown> {
  /** Maximum number of requests per run; a plan with more requests fails. */
  readonly requestsMax: number;
  /** Maximum number of concurrent requests of a run. */
  readonly parallelMax: number;
  /** Time limit for all requests of a run; unfinished ones are then aborted. */
  readonly timeLimitMs: number;
  /**
   * Returns the keys of all requests, including those that this run does not make. Stored validators for conditional
   * requests, such as ETags, are dropped if they belong to other keys.
   */
  keysOf(plan: Plan): readonly string[];
  /** True if records of an earlier answer are stored; the request is conditional only in this case. */
  isStored(context: Context): boolean;
  /** Selects the records of an answer that are kept; pure. `tally` counts the others. */
  keep(records: readonly Item[], now: number, tally: RowTally): readonly Item[];
  /** Converts the outcome of a request to a record. */
  outcome(context: Context, outcome: GatheredOutcome): Item;
}

/** A request of one step that follows from the records of another step. */
export interface NextRequest {
  readonly step: AnyStep;
  readonly context: unknown;
}

/**
 * One kind of request to an upstream, and the decoding of its answers into typed records. The context of a request
 * holds its parameters; it comes from `ask`, `more` or `instead`, or from the `next` of another step, and is passed to
 * every function that reads the answer. All members are pure.
 */
export interface Step<
  Plan = unknown,
  Context = unknown,
  F extends Format = Format,
  Row extends TSchema = TSchema,
  Item = unknown,
> {
  /** Returns the contexts of the first requests. Default: a single request, whose context is the plan itself. */
  ask?(plan: Plan): readonly Context[];
  request(context: Context): StepRequest;
  readonly format: F;
  /**
   * Schema of a row, limited to the fields that we rely on. Where observed data and the upstream's manual differ, the
   * schema follows the data.
   */
  readonly row: Row;
  /** Yields row candidates in document order. Throws `SourceFailure` "changed" for a document of unknown shape. */
  rows(document: DocumentOf<F>, context: Context): Iterable<unknown>;
  /** Converts a row to a record, or returns the rule by which it is left out. Throws `BadRow` for an invalid row. */
  record(row: Static<Row>, context: Context): Item | LeftOut;
  /**
   * Returns the time of a record's observation, epoch ms. Default: the source's `observedAt`, if the source has no
   * `combine`.
   */
  observedAt?(record: Item): number | undefined;
  /**
   * Minimum number of rows in all answers of this step; 0 if an empty document is a valid answer (no storm is active).
   * Default 1.
   */
  readonly rowsMin?: 0 | 1;
  /**
   * Returns the contexts of further requests of this step that follow from an answer: the next page, an earlier month.
   */
  more?(document: DocumentOf<F>, context: Context): readonly Context[];
  /**
   * Returns the requests that follow from the records of an answer and belong to other steps: one for each file of a
   * list, for example.
   */
  next?(records: readonly Item[], context: Context): readonly NextRequest[];
  /**
   * Returns the contexts of the requests that replace a failed one. With an empty list, the run continues without the
   * answer. With undefined, the run fails.
   */
  instead?(failure: SourceFailure, context: Context): readonly Context[] | undefined;
  /** Returns a sentence on unread content, such as further pages; the dataset is then partial. */
  lacks?(document: DocumentOf<F>, context: Context): string | undefined;
  /** Set if the requests are independent, so that a failed request does not fail the run. */
  readonly gather?: Gather<Plan, Context, Item>;
}

/** A step of unspecified types, for the code in `ingest/`. */
export type AnyStep = Step;

/** A declared step, which other steps can refer to. */
export interface DeclaredStep<Plan, Context, F extends Format, Row extends TSchema, Item>
  extends Step<Plan, Context, F, Row, Item> {
  /** Creates a request of this step, to be returned by another step's `next`. */
  about(context: Context): NextRequest;
}

type WithoutAsk<Plan, Context, F extends Format, Row extends TSchema, Item> = Omit<
  Step<Plan, Context, F, Row, Item>,
  "ask"
>;
type WithAsk<Plan, Context, F extends Format, Row extends TSchema, Item> = WithoutAsk<Plan, Context, F, Row, Item> & {
  ask(plan: Plan): readonly Context[];
};

/** A record is never undefined, because `record` returns a `LeftOut` for a row that it leaves out. */
type Value = NonNullable<unknown>;

/** Declares a step, whose context, document, row schema and record must have matching types. */
export function step<Plan, Context, const F extends Format, Row extends TSchema, Item extends Value>(
  definition: WithAsk<Plan, Context, F, Row, Item>,
): DeclaredStep<Plan, Context, F, Row, Item>;
export function step<Context, const F extends Format, Row extends TSchema, Item extends Value>(
  definition: WithoutAsk<Context, Context, F, Row, Item>,
): DeclaredStep<Context, Context, F, Row, Item>;
export function step<Plan, Context, F extends Format, Row extends TSchema, Item extends Value>(
  definition: Step<Plan, Context, F, Row, Item>,
): DeclaredStep<Plan, Context, F, Row, Item> {
  const declared: DeclaredStep<Plan, Context, F, Row, Item> = {
    ...definition,
    about: (context) => ({ step: declared, context }),
  };
  return declared;
}

/** Declares a step without first requests: all its requests come from the `next` of another step. */
export function followUp<Context, const F extends Format, Row extends TSchema, Item extends Value>(
  definition: WithoutAsk<unknown, Context, F, Row, Item>,
): DeclaredStep<unknown, Context, F, Row, Item> {
  return step<unknown, Context, F, Row, Item>({ ...definition, ask: () => [] });
}

export interface Licence {
  readonly name: string;
  readonly url?: string;
  /** The attribution that must be shown with the data, if the publisher requires one. */
  readonly attribution?: string;
  /** False if the terms forbid commercial use or redistribution; VIGIL_LICENCE_MODE=open switches such sources off. */
  readonly open: boolean;
}

/**
 * The evidence for a decoder. `recorded`: it was run on a real payload of this upstream in this layout. `described`: it
 * follows the publisher's documentation; no real payload was available.
 */
export type Seen = "recorded" | "described";

/** The records of one answer and the context of its request. */
export interface StepAnswer<Context = unknown, Item = unknown> {
  readonly context: Context;
  readonly records: readonly Item[];
  /** The number of invalid rows of the answer, which were skipped. */
  readonly rowsBad: number;
}

/** The answers of one step in request order, and the records of all of them. */
export interface StepResult<Context = unknown, Item = unknown> {
  readonly answers: readonly StepAnswer<Context, Item>[];
  readonly records: readonly Item[];
}

/** The typed result of each step. */
export type ResultsOf<Steps> = {
  readonly [K in keyof Steps]: Steps[K] extends Step<infer _P, infer Context, infer _F, infer _R, infer Item>
    ? StepResult<Context, Item>
    : never;
};

/** The outcome of a request that was sent in a run. */
export interface RequestOutcome<Context = unknown> {
  readonly context: Context;
  /** Epoch ms. */
  readonly sentAt: number;
  /** True if the answer was read, or was a 304 (not modified). */
  readonly isRead: boolean;
  /** The reason why the answer was not read; undefined also for an aborted request. */
  readonly failure: SourceFailure | undefined;
}

/** The outcomes of the requests of each step. */
export type OutcomesOf<Steps> = {
  readonly [K in keyof Steps]: Steps[K] extends Step<infer _P, infer Context, infer _F, infer _R, infer _I>
    ? readonly RequestOutcome<Context>[]
    : never;
};

/** The plan that all steps share. */
export type PlanOf<Steps> = {
  [K in keyof Steps]: Steps[K] extends Step<infer P, infer _C, infer _F, infer _R, infer _I>
    ? (plan: P) => void
    : never;
}[keyof Steps] extends (plan: infer Plan) => void
  ? Plan
  : never;

/**
 * One upstream feed: the steps that request it, and the conversion of their records to served ones. All functions are
 * pure. The code in `upstream/` fetches, limits and decodes. The code in `ingest/` validates rows, counts bad ones,
 * records provenance, applies the dataset's gate and publishes.
 *
 * `Plan` is the dataset's request (years, series, a window); `Stored` is the served record.
 */
export interface Source<Plan = unknown, Stored = unknown, Progress = unknown> {
  readonly id: string;
  readonly title: string;
  /** The publisher's page about the feed. */
  readonly home: string;
  readonly seen: Seen;
  /** The kinds of content that no recording of a `recorded` source contains, for example `ground stops`. */
  readonly unseen?: string;
  readonly licence: Licence;
  /** The authentication, which the code in `ingest/` attaches to every request. Default: none. */
  readonly auth?: Auth;
  /** The credentials of `auth`; empty if there is no `auth`. */
  readonly credentials: readonly Credential[];
  /** Names of the budgets from which each call takes a unit; settings define their sizes. Default: none. */
  readonly budgets?: readonly string[];
  /** The steps by name. Without `combine`, their records are served in this order. */
  readonly steps: Readonly<Record<string, AnyStep>>;
  /**
   * Creates the served records from those of all steps; pure. `tally` counts every record that does not become a served
   * one. Default: the records of the steps, one step after the other.
   */
  combine?(results: Readonly<Record<string, StepResult>>, tally: RowTally): readonly Stored[];
  /**
   * Returns the progress of a run, successful or not; pure. The memory of the dataset's part is updated with it.
   * Default: none.
   */
  progress?(outcomes: Readonly<Record<string, readonly RequestOutcome[]>>): readonly Progress[];
  /**
   * Returns the time of the record's observation, epoch ms; undefined for records that are not observations (a list of
   * places).
   */
  observedAt(record: Stored): number | undefined;
  /** Maximum time by which an observation may be in the future; a row that exceeds it is bad. Default: a day. */
  readonly aheadMs?: number;
  /** Ranges of the numeric fields that are not in `valueRanges`. A row with a number outside its range is bad. */
  readonly ranges?: Readonly<Record<string, ValueRange>>;
  /** Minimum number of records in a run; 0 if all rows may be irrelevant (every alert is green). Default 1. */
  readonly recordsMin?: 0 | 1;
  /**
   * Returns false for a plan that this feed does not support; the next source is then tried. Default: every plan is
   * supported.
   */
  answers?(plan: Plan): boolean;
}

/** A source of unspecified types, for registries. */
export type AnySource = Source;

type Steps = Readonly<Record<string, AnyStep>>;

interface SourceDefinition<S extends Steps, Stored, Progress>
  extends Omit<Source<PlanOf<S>, Stored, Progress>, "credentials" | "combine" | "progress"> {
  readonly steps: S;
  combine?(results: ResultsOf<S>, tally: RowTally): readonly Stored[];
  progress?(outcomes: OutcomesOf<S>): readonly Progress[];
}

/** Declares a source, whose steps, served record and progress must have matching types. */
export function source<S extends Steps, Stored = ResultsOf<S>[keyof S]["records"][number], Progress = never>(
  definition: SourceDefinition<S, Stored, Progress>,
): Source<PlanOf<S>, Stored, Progress> {
  return {
    // The cast is safe, because the code in `ingest/` passes the results and outcomes of exactly these steps.
    ...(definition as Omit<Source<PlanOf<S>, Stored, Progress>, "credentials">),
    credentials: definition.auth?.credentials ?? [],
  };
}

/**
 * The reasons why a source has no rows, each with its remedy: `unavailable` (wait), `changed` (fix the adapter),
 * `empty` (check the upstream), `unconfigured` (set the named variable).
 */
export type SourceFailureKind = "unavailable" | "changed" | "empty" | "unconfigured";

/**
 * The failure of a source run that ends without records. The message states the problem and what was expected, and
 * never contains a secret.
 */
export class SourceFailure extends Error {
  readonly kind: SourceFailureKind;
  /** Status of the upstream's answer, if there was one. */
  readonly status: number | undefined;
  /** End of the pause that the upstream requested, epoch ms (from `Retry-After`). */
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

/** The result for a row that a rule leaves out. */
export class LeftOut {
  /** Name of the rule, such as `no position`; a constant string, because rows are counted by it. */
  readonly rule: string;

  constructor(rule: string) {
    this.rule = rule;
  }
}

/** The failure of a row that cannot be used; the row is counted and skipped. */
export class BadRow extends Error {
  override readonly name = "BadRow";
}
