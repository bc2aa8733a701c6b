import type { AnyDataset } from "../../contract/product.js";
import type { ClockPace, Steps } from "../../kit/loop-turns.js";
import { sameJson } from "../../kit/same-json.js";
import type { PartRecords } from "../bodies/body.js";

/** The members that identify a row, by part. */
export type Identities = Readonly<Record<string, readonly string[]>>;

/** The number of rows of a part that were added, changed and removed between two generations. */
export interface RowCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** By part; parts without a difference are left out. */
export type ChangedRows = Readonly<Record<string, RowCounts>>;

/** A row that differs between two generations. */
export interface RowChange {
  readonly part: string;
  readonly kind: keyof RowCounts;
  /** The identifying values, as text. */
  readonly key: string;
  /** Undefined for an added row. */
  readonly before: unknown;
  /** Undefined for a removed row. */
  readonly after: unknown;
}

/** Two generations of a dataset to compare. */
interface Compared {
  readonly before: PartRecords;
  readonly after: PartRecords;
  readonly identities: Identities;
}

export const DEFAULT_IDENTITY: readonly string[] = ["id"];
/** Number of rows compared between two reads of the clock. This many rows take less than a tenth of a millisecond. */
const ROWS_PER_LOOK = 32;

/** Returns the declared identities of the parts of a dataset. */
export function identitiesOf({ parts }: AnyDataset): Identities {
  const declared: Readonly<Record<string, { readonly identity?: readonly string[] }>> = parts;
  return Object.fromEntries(
    Object.entries(declared).map(([name, { identity = DEFAULT_IDENTITY }]) => [name, identity]),
  );
}

/**
 * Compares two generations row by row and counts the rows that differ. For each part, `onChange` first receives the
 * added and changed rows in their new order, and then the removed rows in their old order. A row without any of its
 * identifying members is identified by its whole content.
 */
export function* rowChangeSteps(
  { before, after, identities }: Compared,
  pace: ClockPace,
  onChange: (change: RowChange) => void,
): Steps<ChangedRows> {
  const counter = new RowCounter();
  const visit = (change: RowChange): void => {
    counter.count(change);
    onChange(change);
  };
  for (const part of new Set([...Object.keys(after), ...Object.keys(before)])) {
    const [old, fresh] = [before[part] ?? [], after[part] ?? []];
    // A part that was not read again has the same list object in both generations.
    if (old === fresh) continue;
    const identity = identities[part] ?? DEFAULT_IDENTITY;
    yield* partSteps({ part, old, fresh, identity }, pace, visit);
  }
  return counter.changedRows;
}

interface ComparedPart {
  readonly part: string;
  readonly old: readonly unknown[];
  readonly fresh: readonly unknown[];
  readonly identity: readonly string[];
}

function* partSteps(
  { part, old, fresh, identity }: ComparedPart,
  pace: ClockPace,
  onChange: (change: RowChange) => void,
): Steps<void> {
  const remaining = new KeyedRows();
  for (const [index, row] of old.entries()) {
    remaining.add(rowKey(row, identity), row);
    if (index % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  for (const [index, row] of fresh.entries()) {
    const key = rowKey(row, identity);
    const match = remaining.take(key);
    if (!match) onChange({ part, kind: "added", key, before: undefined, after: row });
    else if (!sameJson(match.row, row)) onChange({ part, kind: "changed", key, before: match.row, after: row });
    if (index % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  for (const [key, row] of remaining.rows()) {
    onChange({ part, kind: "removed", key, before: row, after: undefined });
    if (pace.isOver) yield;
  }
}

/** Rows by key. Rows with the same key are consumed in order. */
class KeyedRows {
  private readonly first = new Map<string, unknown>();
  /** By key, the rows after the first one. `next` is the index of the first row that is not consumed yet. */
  private readonly others = new Map<string, { readonly rows: unknown[]; next: number }>();

  add(key: string, row: unknown): void {
    if (!this.first.has(key)) {
      this.first.set(key, row);
      return;
    }
    const others = this.others.get(key);
    if (others) others.rows.push(row);
    else this.others.set(key, { rows: [row], next: 0 });
  }

  take(key: string): { readonly row: unknown } | undefined {
    if (!this.first.has(key)) return undefined;
    const row = this.first.get(key);
    const others = this.others.get(key);
    if (others && others.next < others.rows.length) this.first.set(key, others.rows[others.next++]);
    else this.first.delete(key);
    return { row };
  }

  *rows(): Generator<readonly [key: string, row: unknown], void> {
    for (const [key, row] of this.first) {
      yield [key, row];
      const { rows, next } = this.others.get(key) ?? { rows: [], next: 0 };
      for (let at = next; at < rows.length; at += 1) yield [key, rows[at]];
    }
  }
}

/**
 * Returns the text of the members that identify a row, or of the whole row if it has none of them. Empty if `identity`
 * is empty, because the part then has only one record.
 */
export function rowKey(row: unknown, identity: readonly string[]): string {
  if (identity.length === 0) return "";
  if (typeof row !== "object" || row === null) return textOf(row);
  const values = identity.map((member) => (row as Readonly<Record<string, unknown>>)[member]);
  if (values.every((value) => value === undefined)) return textOf(row);
  const [first] = values;
  return values.length === 1 && typeof first !== "object" ? String(first) : textOf(values);
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? "null";
}

/** Counts rows that differ, by part. */
class RowCounter {
  private readonly counts = new Map<string, { added: number; changed: number; removed: number }>();

  count({ part, kind }: RowChange): void {
    let counts = this.counts.get(part);
    if (!counts) {
      counts = { added: 0, changed: 0, removed: 0 };
      this.counts.set(part, counts);
    }
    counts[kind] += 1;
  }

  get changedRows(): ChangedRows {
    return Object.fromEntries(this.counts);
  }
}
