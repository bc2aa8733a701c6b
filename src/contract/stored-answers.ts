import type { Principal } from "./access/principal.js";
import { port } from "./port.js";
import type { SnapshotState } from "./snapshot.js";

/** The state of a dataset at a position in the log of datasets. */
export interface DatasetAt {
  readonly dataset: string;
  /** The served generation; null if none is served. */
  readonly generation: number | null;
  readonly state: SnapshotState;
}

/** A source behind an answer. */
export interface AnswerSource {
  readonly name: string;
  readonly url: string;
  readonly licence: string;
}

/** A call that is answered only from stored generations. */
export interface StoredQuestion {
  /** Path and query as they were sent. */
  readonly call: string;
  /** Identifies the question; the same for all spellings of its query. */
  readonly key: string;
  readonly path: string;
  /** Lowest plan tier that may call the operation; 1 is a Pro operation. */
  readonly tier: 0 | 1;
  /** Names of the datasets that it reads, in the order in which the operation declares them. */
  readonly datasets: readonly string[];
  /** True if its answer is a list whose rows have an identity. */
  readonly isList: boolean;
  /** True if answers from the same generations can differ over time. */
  readonly dependsOnTime: boolean;
  readonly sources: readonly AnswerSource[];
}

/** The rows of a list by their identities. */
export interface StoredRows {
  /**
   * In the order of the list. If several rows have the same identity, the second has the id `<identity>#2`, and so on.
   */
  readonly rows: readonly { readonly id: string; readonly row: unknown }[];
  /** Number of rows that have the same identity as an earlier row. */
  readonly collisions: number;
}

/** An answer with its whole list on one page. Its values are shared and never modified. */
export interface StoredAnswer {
  readonly question: StoredQuestion;
  /** The body. */
  readonly value: unknown;
  /** Returns the rows of its list; undefined for an operation without a list. */
  rows(): Promise<StoredRows | undefined>;
  /**
   * Returns the body with these rows in place of its own. The rows have the form of `row` in `StoredRows`. Only for
   * lists.
   */
  withRows(rows: readonly unknown[]): unknown;
}

/** The value of an expression, or, if it fails, a sentence that states why. */
export type Evaluation = { readonly value: unknown } | { readonly error: string };

export interface EvaluationOptions {
  readonly signal?: AbortSignal;
  /** Called after each slice with the number of units of work in it. */
  readonly onWork?: (units: number) => void;
}

/** Runs operations over stored generations, outside of requests. */
export interface StoredAnswers {
  /**
   * Parses a call for a caller. Throws a 400 that names the field `call`, or the 403 that the caller would get for the
   * call.
   */
  ask(call: string, caller: Principal): StoredQuestion;
  /**
   * Parses a call that was accepted earlier; undefined if this version no longer accepts it. The plan of the account may
   * no longer include the call (`tier`).
   */
  reopen(call: string): StoredQuestion | undefined;
  /**
   * Returns the answer from the generations in `standings` at the time `now`, epoch ms; undefined if one of these
   * generations is no longer kept. `onRead` is called each time before a generation is read from the store, and may
   * throw.
   */
  answer(
    question: StoredQuestion,
    standings: readonly DatasetAt[],
    now: number,
    onRead?: () => void,
  ): Promise<StoredAnswer | undefined>;
  /** Returns a sentence that states why an expression is not valid JMESPath; undefined for a valid expression. */
  refusal(expression: string): string | undefined;
  /** Evaluates an expression in slices, within the limits of a projection. */
  evaluate(expression: string, value: unknown, options?: EvaluationOptions): Promise<Evaluation>;
}

export const storedAnswers = port<StoredAnswers>("stored answers");
