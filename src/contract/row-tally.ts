import { cutText } from "../kit/cut-text.js";
import type { Rows } from "./paging.js";

/** The number of rows to which a rule applied. */
export interface CountedRows {
  readonly rule: string;
  readonly count: number;
}

/** Rows that a rule left out. */
export interface LeftOutRows extends CountedRows {
  /** The identity of one of these rows. */
  readonly example: string;
}

/** Returns true for the rows that the rule keeps. `false` in place of a function: the rule does not apply. */
export type RowRule<T> = ((row: T) => boolean) | false;

/** Filters the rows of a list. For an answer with `explain`, it also counts the rows that each rule leaves out. */
export interface RowTally {
  /** True if the rows are counted. */
  readonly isCounting: boolean;
  /** Declares the whole list from which the rules choose, and returns it unchanged. */
  whole<T extends Rows<unknown>>(rows: T): T;
  /** Returns the rows that all rules keep. A row is counted under the first rule that leaves it out. */
  filter<T>(rows: readonly T[], rules: Readonly<Record<string, RowRule<T>>>): T[];
  /** Returns `kept`, the part of `rows` that an index has found for a rule; counts the other rows under that rule. */
  narrowed<T, Kept extends Rows<T>>(rule: string, rows: Rows<T>, kept: Kept, isKept: (row: T) => boolean): Kept;
  /** Returns the first rows, at most `max`; counts the other rows under the rule. */
  first<T>(rule: string, rows: Rows<T>, max: number): T[];
  /** Counts rows that a rule left out; `row` is one of them. */
  leftOut(rule: string, row: unknown, count?: number): void;
  /** Counts rows that were merged into other rows or into a sum, such as the aliases of an entry. */
  joined(rule: string, count: number): void;
  /** Counts rows without an upstream row of their own, such as the second half of an upstream row that is split. */
  made(rule: string, count: number): void;
  /** Reports a default that the `run` of an operation computes, such as a time that depends on the clock. */
  defaulted(parameter: string, value: () => string): void;
}

/** The tally of answers without `explain`. It counts nothing. */
export const silentTally: RowTally = {
  isCounting: false,
  whole: (rows) => rows,
  filter(rows, rules) {
    const own = Object.values(rules).filter((rule) => rule !== false);
    return own.length === 0 ? [...rows] : rows.filter((row) => own.every((isKept) => isKept(row)));
  },
  narrowed: (_rule, _rows, kept) => kept,
  first: (_rule, rows, max) => rows.slice(0, max),
  leftOut: () => undefined,
  joined: () => undefined,
  made: () => undefined,
  defaulted: () => undefined,
};

/** A tally with its counts. */
export interface CountingTally extends RowTally {
  /** Number of rows that the rules choose from. */
  readonly wholeCount: number;
  readonly leftOutRows: readonly LeftOutRows[];
  readonly joinedRows: readonly CountedRows[];
  readonly madeRows: readonly CountedRows[];
  readonly defaults: ReadonlyMap<string, string>;
}

/** Returns a function that tests whether a row is one of `rows`. It creates its set of rows at the first call. */
export function among<T>(rows: readonly T[]): (row: T) => boolean {
  let set: ReadonlySet<T> | undefined;
  return (row) => {
    set ??= new Set(rows);
    return set.has(row);
  };
}

/** Number of rows that are searched at a time for an example. */
const EXAMPLE_SLICE_ROWS = 1_000;

/** Creates a tally that counts. `identity` returns the identity of a row; undefined for a row without one. */
export function countingTally(identity: (row: never) => unknown = () => undefined): CountingTally {
  const byRule = new Map<string, { count: number; readonly example: string }>();
  const joined = new Map<string, number>();
  const madeCounts = new Map<string, number>();
  const defaults = new Map<string, string>();
  let wholeCount = 0;

  function leftOut(rule: string, row: unknown, count = 1): void {
    if (count === 0) return;
    const counted = byRule.get(rule);
    if (counted) counted.count += count;
    else byRule.set(rule, { count, example: identityOf(row, identity) });
  }

  return {
    isCounting: true,
    get wholeCount() {
      return wholeCount;
    },
    get leftOutRows() {
      return [...byRule].map(([rule, { count, example }]) => ({ rule, count, example }));
    },
    get joinedRows() {
      return countsOf(joined);
    },
    get madeRows() {
      return countsOf(madeCounts);
    },
    defaults,
    whole(rows) {
      wholeCount += rows.length;
      return rows;
    },
    filter(rows, rules) {
      const own = Object.entries(rules);
      return rows.filter((row) => {
        for (const [rule, isKept] of own) {
          if (isKept === false || isKept(row)) continue;
          leftOut(rule, row);
          return false;
        }
        return true;
      });
    },
    narrowed(rule, rows, kept, isKept) {
      const count = rows.length - kept.length;
      if (count > 0) leftOut(rule, firstWithout(rows, isKept), count);
      return kept;
    },
    first(rule, rows, max) {
      if (rows.length > max) leftOut(rule, rows.slice(max, max + 1)[0], rows.length - max);
      return rows.slice(0, max);
    },
    leftOut,
    joined: (rule, count) => add(joined, rule, count),
    made: (rule, count) => add(madeCounts, rule, count),
    defaulted: (parameter, value) => void defaults.set(parameter, value()),
  };
}

function add(counts: Map<string, number>, rule: string, count: number): void {
  if (count > 0) counts.set(rule, (counts.get(rule) ?? 0) + count);
}

function countsOf(counts: ReadonlyMap<string, number>): readonly CountedRows[] {
  return [...counts].map(([rule, count]) => ({ rule, count }));
}

function firstWithout<T>(rows: Rows<T>, isKept: (row: T) => boolean): T | undefined {
  for (let from = 0; from < rows.length; from += EXAMPLE_SLICE_ROWS) {
    const unkept = rows.slice(from, from + EXAMPLE_SLICE_ROWS).find((row) => !isKept(row));
    if (unkept !== undefined) return unkept;
  }
  return undefined;
}

const IDENTITY_CHARACTERS_MAX = 120;
/** The members that may name a row, best first. */
const naming = ["id", "iata", "url", "link", "zone", "code", "title", "name", "date", "month"] as const;

/** Returns a short name of a row: its identity, else the value of a naming member, else the beginning of its JSON. */
export function identityOf(row: unknown, identity: (row: never) => unknown = () => undefined): string {
  if (typeof row !== "object" || row === null) return shortName(String(row));
  const members = row as Readonly<Record<string, unknown>>;
  // `identity` is written for rows of the answer. A row of a view may lack the members that `identity` reads. The
  // naming members are then used instead.
  const candidates = [identity(row as never), ...naming.map((member) => members[member])];
  const name = candidates.find((value) => isName(value));
  return shortName(name === undefined ? JSON.stringify(row) : String(name));
}

function isName(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

function shortName(text: string): string {
  // The cut may leave half a surrogate pair, which the conversion to UTF-8 replaces.
  return Buffer.from(cutText(text, IDENTITY_CHARACTERS_MAX)).toString();
}
