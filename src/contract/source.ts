import type { Static, TSchema } from "typebox";
import type { Auth, Credential } from "./auth.js";
import type { CsvFilter, DocumentOf, Format } from "./format.js";
import type { ValueRange } from "./value-ranges.js";

/** One request as a step asks it. It never holds a secret: the frame attaches what the source's `auth` declares. */
export interface StepRequest {
  /** Names the request within its run (a year, a series, a page) for people, provenance and conditional requests. */
  readonly key: string;
  readonly url: string;
  /** The operator named this very address: it may be private, and nothing stands in for it. */
  readonly isOperatorsOwn?: true;
  /** JSON text; makes the request a POST. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whole exchange, connect to last byte. Default 30,000. */
  readonly timeoutMs?: number;
  /** Largest accepted body after decompression. Default 32 MiB. */
  readonly bytesMax?: number;
  /** Least time between the starts of two calls to this host, where its publisher asks for that. Default 0. */
  readonly spacingMs?: number;
  /** The records of a CSV table that are read; the others are dropped as bytes. A table without any record is still `empty`. */
  readonly where?: CsvFilter;
  /** The size and hash that the publisher's own list gives; a body with others has not arrived whole. */
  readonly integrity?: { readonly bytes: number; readonly md5: string };
}

/** One call to an upstream. `url` never holds a secret: those travel in the secret members, to the origin of `url` alone. */
export interface SourceRequest extends StepRequest {
  /** Fields of a form; makes the request a POST. */
  readonly form?: Readonly<Record<string, string>>;
  readonly secretForm?: Readonly<Record<string, string>>;
  readonly secretQuery?: Readonly<Record<string, string>>;
  readonly secretHeaders?: Readonly<Record<string, string>>;
}

/** The outcome of one request of a gathered step. */
export interface GatheredOutcome {
  /** `timeout`: time for all was over, before its turn or its answer came; `failed`: everything else without an answer. */
  readonly state: "ok" | "empty" | "timeout" | "failed";
  /** The reason for a failure or timeout, in words. */
  readonly error?: string;
  /** Time at which the used answer was read, epoch ms; undefined without one. */
  readonly readAt?: number;
  /** The counts of `keep`; empty without an answer. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Reading of a step of many small, independent requests: each stands for itself, its outcome
 * is a record like any other, and none of them fails the run. Answers are shared by all runs of the process.
 */
export interface Gather<Context = unknown, Item = unknown> {
  /** Requests of one run; more are a mistake. */
  readonly requestsMax: number;
  /** Requests of one run under way at once. */
  readonly parallelMax: number;
  /** For all of them; what is still under way then is given up. */
  readonly timeLimitMs: number;
  /** Time for which an answer is reused; afterwards the request is conditional. */
  readonly reuseMs: number;
  /** The same for an answer without records and for a failure. */
  readonly reuseEmptyMs: number;
  /** The lane of a request. Requests of one lane share turns; lanes are served evenly. */
  laneOf(context: Context): string;
  /** The records that are kept of one answer, and the counts made on the way; pure. */
  keep(
    records: readonly Item[],
    now: number,
  ): { readonly records: readonly Item[]; readonly counts: GatheredOutcome["counts"] };
  /** The outcome of a request, as a record. */
  outcome(context: Context, outcome: GatheredOutcome): Item;
}

/** A request that one step's records call for from another step. */
export interface NextRequest {
  readonly step: AnyStep;
  readonly context: unknown;
}

/**
 * One kind of question to an upstream, and how its answers are read into typed records. The context of a request says
 * what it is about; it is made by `ask`, `more` or `instead`, and handed to everything that reads the answer. All members
 * are pure.
 */
export interface Step<
  Plan = unknown,
  Context = unknown,
  F extends Format = Format,
  Row extends TSchema = TSchema,
  Item = unknown,
> {
  /** The contexts of the first requests. Default: one, the plan itself. */
  ask?(plan: Plan): readonly Context[];
  request(context: Context): StepRequest;
  readonly format: F;
  /** Only what we rely on; observed data beats the upstream's manual. */
  readonly row: Row;
  /** Row candidates in document order. Throws `SourceFailure` "changed" when the document is not the one it knows. */
  rows(document: DocumentOf<F>, context: Context): Iterable<unknown>;
  /** The record of a row, or undefined when the row says "no value"; throws `BadRow` for a row that makes no sense. */
  record(row: Static<Row>, context: Context): Item | undefined;
  /** Returns the time of a record's observation, epoch ms. Default: as for the served records, if nothing is combined. */
  observedAt?(record: Item): number | undefined;
  /** Fewest rows of all answers to this step; 0 where a document without any is an answer (no storm is active). Default 1. */
  readonly rowsMin?: 0 | 1;
  /** The contexts of further requests of this step that an answer calls for: the next page, an earlier month. */
  more?(document: DocumentOf<F>, context: Context): readonly Context[];
  /** The requests of other steps that the records of an answer call for: the files of a list. */
  next?(records: readonly Item[], context: Context): readonly NextRequest[];
  /** The contexts that are asked instead of a request that failed; none: the run goes on without it. Undefined: it fails. */
  instead?(failure: SourceFailure, context: Context): readonly Context[] | undefined;
  /** A sentence on what is missing behind an answer that was read, such as further pages; the part is partial then. */
  lacks?(document: DocumentOf<F>, context: Context): string | undefined;
  /** Set where the requests have nothing to do with each other, and one that fails does not fail the run. */
  readonly gather?: Gather<Context, Item>;
}

/** A step as the frame holds it: what it is about is known only to itself. */
export type AnyStep = Step;

/** A declared step, of which other steps can ask. */
export interface DeclaredStep<Plan, Context, F extends Format, Row extends TSchema, Item>
  extends Step<Plan, Context, F, Row, Item> {
  /** A request of this step, for another step's `next`. */
  about(context: Context): NextRequest;
}

type WithoutAsk<Plan, Context, F extends Format, Row extends TSchema, Item> = Omit<
  Step<Plan, Context, F, Row, Item>,
  "ask"
>;
type WithAsk<Plan, Context, F extends Format, Row extends TSchema, Item> = WithoutAsk<Plan, Context, F, Row, Item> & {
  ask(plan: Plan): readonly Context[];
};

/** Declares a step; the types tie context, document, row schema and record together. */
export function step<Plan, Context, const F extends Format, Row extends TSchema, Item>(
  definition: WithAsk<Plan, Context, F, Row, Item>,
): DeclaredStep<Plan, Context, F, Row, Item>;
export function step<Context, const F extends Format, Row extends TSchema, Item>(
  definition: WithoutAsk<Context, Context, F, Row, Item>,
): DeclaredStep<Context, Context, F, Row, Item>;
export function step<Plan, Context, F extends Format, Row extends TSchema, Item>(
  definition: Step<Plan, Context, F, Row, Item>,
): DeclaredStep<Plan, Context, F, Row, Item> {
  const declared: DeclaredStep<Plan, Context, F, Row, Item> = {
    ...definition,
    about: (context) => ({ step: declared, context }),
  };
  return declared;
}

/** Declares a step that only follows another: its requests come from that step's `next`. */
export function followUp<Context, const F extends Format, Row extends TSchema, Item>(
  definition: WithoutAsk<unknown, Context, F, Row, Item>,
): DeclaredStep<unknown, Context, F, Row, Item> {
  return step<unknown, Context, F, Row, Item>({ ...definition, ask: () => [] });
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

/** The records of one answer and what it was asked about. */
export interface StepAnswer<Context = unknown, Item = unknown> {
  readonly context: Context;
  readonly records: readonly Item[];
}

/** The answers to one step in the order in which they were called for, and the records of all of them. */
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

/** The outcome of one sent request of a run. */
export interface RequestOutcome<Context = unknown> {
  readonly context: Context;
  /** Epoch ms. */
  readonly sentAt: number;
  /** The upstream answered, and the answer was read or not modified. */
  readonly isRead: boolean;
  /** The reason where it did not; undefined also for a request that was broken off. */
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
 * One upstream feed: the steps in which it is asked and how their records become what is served. Pure: `upstream/` fetches,
 * limits and decodes; `ingest/` validates rows, counts bad ones, stamps provenance, gates and publishes.
 *
 * `Plan` is what the dataset asks for (years, series, a window); `Stored` is the record that is served.
 */
export interface Source<Plan = unknown, Stored = unknown, Progress = unknown> {
  readonly id: string;
  readonly title: string;
  /** The publisher's page about the feed. */
  readonly home: string;
  readonly seen: Seen;
  /** The part of a `recorded` source's answers that no recording shows, for example `ground stops`. */
  readonly unseen?: string;
  readonly licence: Licence;
  /** The authentication, which the frame attaches to every request. Default: none is needed. */
  readonly auth?: Auth;
  /** The credentials of `auth`; empty without it. */
  readonly credentials: readonly Credential[];
  /** Budgets of which every call takes a unit, whoever reads it; the settings say how much each holds. Default: none. */
  readonly budgets?: readonly string[];
  /** By name, in the order in which their records are served where nothing combines them. */
  readonly steps: Readonly<Record<string, AnyStep>>;
  /** The served records from those of all steps; pure. Default: the records of the steps, one after the other. */
  combine?(results: Readonly<Record<string, StepResult>>): readonly Stored[];
  /** Returns what the memory of the part keeps from a run, successful or not; pure. Default: nothing. */
  progress?(outcomes: Readonly<Record<string, readonly RequestOutcome[]>>): readonly Progress[];
  /** Returns the time of the record's observation, epoch ms; undefined for records that observe nothing (a list of places). */
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
}

/** A source as the registries hold it: `Plan`, row and record types are known only to the dataset that uses it. */
export type AnySource = Source;

type Steps = Readonly<Record<string, AnyStep>>;

interface SourceDefinition<S extends Steps, Stored, Progress>
  extends Omit<Source<PlanOf<S>, Stored, Progress>, "credentials" | "combine" | "progress"> {
  readonly steps: S;
  combine?(results: ResultsOf<S>): readonly Stored[];
  progress?(outcomes: OutcomesOf<S>): readonly Progress[];
}

/** Declares a source; the types tie its steps, the served record and its progress together. */
export function source<S extends Steps, Stored = ResultsOf<S>[keyof S]["records"][number], Progress = never>(
  definition: SourceDefinition<S, Stored, Progress>,
): Source<PlanOf<S>, Stored, Progress> {
  return {
    // The results and outcomes that the frame hands over are those of these very steps.
    ...(definition as Omit<Source<PlanOf<S>, Stored, Progress>, "credentials">),
    credentials: definition.auth?.credentials ?? [],
  };
}

/**
 * Reasons for a source without rows, each for a different reader: `unavailable` (wait), `changed` (fix the adapter), `empty`
 * (look), `unconfigured` (set the named variable).
 */
export type SourceFailureKind = "unavailable" | "changed" | "empty" | "unconfigured";

/** A source run that ends without records. The message names the thing and what was expected; never a secret. */
export class SourceFailure extends Error {
  readonly kind: SourceFailureKind;
  /** Status of the upstream's answer, when there was one. */
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

/** One row that cannot be used; it is counted and skipped. */
export class BadRow extends Error {
  override readonly name = "BadRow";
}
