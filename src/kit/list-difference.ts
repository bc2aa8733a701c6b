import { type KeyedRows, Matching, NO_MATCH, ROWS_PER_LOOK } from "./list-matching.js";
import { visitSteps } from "./list-steps.js";
import { leaveAscent } from "./longest-ascent.js";
import type { ClockPace, Steps } from "./loop-turns.js";
import { sameJson } from "./same-json.js";

/**
 * The difference between a newer list and an older one. Without the rows in `upserts` and `removed`, both lists are
 * equal, including their order.
 */
export interface ListDifference {
  /**
   * The new and changed rows, in the order of the newer list. The older list lacks these rows, or has them with
   * different content or in a different place.
   */
  readonly upserts: readonly Upsert[];
  /** Keys of the rows that the newer list lacks, in the order of the older list. */
  readonly removed: readonly string[];
}

interface Upsert {
  readonly key: string;
  /** The index of the row in the newer list. */
  readonly index: number;
  /** True if the older list lacks the key of the row. */
  readonly isNew: boolean;
}

/** Two lists of JSON values to compare. */
export interface ComparedLists<T> {
  readonly older: readonly T[];
  readonly newer: readonly T[];
  readonly keyOf: (row: T) => string;
  /** True if the rows of each list are known to have distinct keys. */
  readonly hasUniqueKeys?: boolean;
}

/**
 * Compares two lists; yields whenever the time slice of `pace` is over. If several rows have the same key, the second
 * gets the key `<key>#2`, and so on. Lists in nearly the same order need no index, so a comparison costs little more
 * than reading the rows. Row objects that both lists share are not even read.
 */
export function* differenceSteps<T>(
  { older, newer, keyOf, hasUniqueKeys = false }: ComparedLists<T>,
  pace: ClockPace,
): Steps<ListDifference> {
  const plain = (rows: readonly T[]): KeyedRows => ({
    rows,
    keyAt: (index) => keyOf(rows[index] as T),
    isKeyOfRow: true,
  });
  const [before, after] = [plain(older), plain(newer)];
  const { difference, isKept } = yield* keyedDifference(before, after, pace);
  if (hasUniqueKeys || !(yield* hasRepeats(difference, after, isKept, pace))) return difference;
  const numbers = [yield* numbered(before, pace), yield* numbered(after, pace)] as const;
  return (yield* keyedDifference(...numbers, pace)).difference;
}

interface KeyedDifference {
  readonly difference: ListDifference;
  /** 1 for each row of the newer list that is not among the upserts. */
  readonly isKept: Uint8Array;
}

/** The difference of lists in which no two changed rows have the same key. */
function* keyedDifference(older: KeyedRows, newer: KeyedRows, pace: ClockPace): Steps<KeyedDifference> {
  const matching = new Matching(older, newer, sameJson);
  while (matching.nextRows()) if (pace.isOver) yield;
  const removed = yield* matching.outOfStepSteps(pace);
  const { olderOf, isKept } = matching;
  if (!isRising(olderOf, isKept)) yield* leaveAscent(isKept, olderOf, pace);
  const upserts: Upsert[] = [];
  for (let index = isKept.indexOf(0); index !== NO_MATCH; index = isKept.indexOf(0, index + 1)) {
    upserts.push({ key: newer.keyAt(index), index, isNew: olderOf[index] === NO_MATCH });
    if (upserts.length % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  return { difference: { upserts, removed }, isKept };
}

/** True if the older list has the kept rows in the same order. */
function isRising(olderOf: Int32Array, isKept: Uint8Array): boolean {
  let last = NO_MATCH;
  for (let index = 0; index < olderOf.length; index += 1) {
    if (isKept[index] === 0) continue;
    const match = olderOf[index] as number;
    if (match < last) return false;
    last = match;
  }
  return true;
}

/** True if one of the lists has several rows with the key of a differing row. */
function* hasRepeats(
  { upserts, removed }: ListDifference,
  newer: KeyedRows,
  isKept: Uint8Array,
  pace: ClockPace,
): Steps<boolean> {
  const differing = new Set<string>();
  yield* visitSteps(upserts, pace, ({ key }) => differing.add(key));
  yield* visitSteps(removed, pace, (key) => differing.add(key));
  // If a key occurs twice among the changes, a list has several rows with that key. This also holds for an upsert and a
  // removed row with the same key: the upsert replaces a different row of the older list.
  if (differing.size < upserts.length + removed.length) return true;
  if (differing.size === 0) return false;
  // Both lists contain the kept rows, so reading the newer list is enough.
  for (let from = 0; from < isKept.length; from += ROWS_PER_LOOK) {
    if (isAnyAmong(newer, { isKept, from }, differing)) return true;
    if (pace.isOver) yield;
  }
  return false;
}

/** True if one of the next kept rows has one of these keys. */
function isAnyAmong(
  { keyAt }: KeyedRows,
  { isKept, from }: { readonly isKept: Uint8Array; readonly from: number },
  keys: ReadonlySet<string>,
): boolean {
  const end = Math.min(isKept.length, from + ROWS_PER_LOOK);
  for (let index = from; index < end; index += 1) if (isKept[index] === 1 && keys.has(keyAt(index))) return true;
  return false;
}

/** The same rows with numbered keys, which are unique. */
function* numbered({ rows, keyAt }: KeyedRows, pace: ClockPace): Steps<KeyedRows> {
  const { keys } = yield* numberedKeys(rows.length, keyAt, pace);
  return { rows, keyAt: (index) => keys[index] as string, isKeyOfRow: false };
}

/** Keys of rows, without duplicates. */
interface NumberedKeys {
  /** The key of each row, by the index of the row. */
  readonly keys: readonly string[];
  /** Number of rows that have the same key as an earlier row. */
  readonly repeatCount: number;
}

/** The key of each row. If several rows have the same key, the second gets `<key>#2`, and so on. */
export function* numberedKeys(length: number, keyAt: (index: number) => string, pace: ClockPace): Steps<NumberedKeys> {
  const counts = new Map<string, number>();
  const keys: string[] = [];
  for (let index = 0; index < length; index += 1) {
    const key = keyAt(index);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    keys.push(count === 1 ? key : `${key}#${count}`);
    if (index % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  return { keys, repeatCount: length - counts.size };
}
