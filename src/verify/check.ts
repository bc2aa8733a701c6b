/** The stored rows of a generation. */
export interface Stored {
  readonly dataset: string;
  readonly generation: number;
  /** Epoch ms. */
  readonly builtAt: number;
  readonly parts: Readonly<Record<string, readonly unknown[]>>;
}

/** A number that must be served rounded to a given number of decimals. */
export class Rounded {
  readonly value: number;
  readonly decimals: number;

  constructor(value: number, decimals: number) {
    this.value = value;
    this.decimals = decimals;
  }
}

export function rounded(value: number, decimals: number): Rounded {
  return new Rounded(value, decimals);
}

/** A value that must equal one of several values, because it depends on something that is not stored. */
export class OneOf {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}

export function oneOf(values: readonly unknown[]): OneOf {
  return new OneOf(values);
}

/** A number between two others, both included. */
export class Between {
  readonly low: number;
  readonly high: number;

  constructor(low: number, high: number) {
    this.low = low;
    this.high = high;
  }
}

export function between(low: number, high: number): Between {
  return new Between(low, high);
}

/** A sentence that contains these phrases. */
export class Containing {
  readonly phrases: readonly string[];

  constructor(phrases: readonly string[]) {
    this.phrases = phrases;
  }
}

export function containing(...phrases: readonly string[]): Containing {
  return new Containing(phrases);
}

/** A stored value that is served unchanged. It is compared, but not counted as derived. */
export class Copied {
  readonly stored: unknown;

  constructor(stored: unknown) {
    this.stored = stored;
  }
}

/** Expects every member of a stored row to be served unchanged. */
export function copied(row: object): { readonly [member: string]: Copied } {
  return Object.fromEntries(Object.entries(row).map(([member, value]) => [member, new Copied(value)]));
}

/**
 * Recomputed values in the shape of the served ones. Members that are left out are not compared. A member with the
 * value undefined must be absent in the served value, and a list must have the same length.
 */
export type Expected =
  | undefined
  | null
  | boolean
  | number
  | string
  | Rounded
  | OneOf
  | Between
  | Containing
  | Copied
  | readonly Expected[]
  | { readonly [member: string]: Expected };

/** The reason why nothing can be recomputed. */
export class Skipped {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** An answer of an operation, with the rows it was made from. */
export interface AnswerInput {
  readonly query: URLSearchParams;
  /** Time of the answer, epoch ms. */
  readonly now: number;
  /** The rows of one of the datasets that the operation read. */
  from(dataset: string): Stored;
  /** The served answer, for recomputing values that depend on other served values. */
  readonly served: unknown;
}

/** Recomputes the derived values of the answers of an operation. */
export interface AnswerCheck {
  /** `<service>/<name of the operation>`. */
  readonly operation: string;
  /** A description of the recomputed values, for the report. */
  readonly what: string;
  /** The queries to run on a generation. Default: one without parameters. */
  queries?(stored: Stored): readonly string[];
  recompute(answer: AnswerInput): Expected;
}

/**
 * An ingredient is a dataset from which another dataset is built. Returns the rows that the ingredient had at the time
 * of that build; undefined if the ingredient was absent.
 */
export type IngredientRows = (dataset: string) => Stored | undefined;

/** Recomputes values that were derived when a generation was built and are stored in that generation. */
export interface DatasetCheck {
  /** The name of the dataset or, for one of many similar datasets, of their family: `digest-<variant>-<language>`. */
  readonly dataset: string;
  readonly what: string;
  /**
   * The ingredients that the check reads. The check is skipped if the build used an ingredient generation that is now
   * gone.
   */
  readonly ingredients?: readonly string[];
  /** Returns the recomputed values by part. */
  recompute(own: Stored, ingredient: IngredientRows): Expected | Skipped;
}

/**
 * Returns the rows of a part. The caller states the type of the rows. The rows are not checked against this type: the
 * hash of their stored text has been checked, so they are the rows that the service wrote.
 */
export function rowsOf<T>(stored: Stored | undefined, part: string): readonly T[] {
  return (stored?.parts[part] ?? []) as readonly T[];
}

/** Computes something from the rows of a generation once, for all builds that have that generation as an ingredient. */
export function oncePerGeneration<T>(make: (stored: Stored) => T): (stored: Stored) => T {
  const values = new WeakMap<Stored, { readonly value: T }>();
  return (stored) => {
    const cached = values.get(stored) ?? { value: make(stored) };
    values.set(stored, cached);
    return cached.value;
  };
}

/** Returns the rows of all parts, in order. */
export function allRowsOf<T>(stored: Stored | undefined): readonly T[] {
  return Object.keys(stored?.parts ?? {}).flatMap((part) => rowsOf<T>(stored, part));
}
