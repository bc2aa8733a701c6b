import { visitSteps } from "./list-steps.js";
import type { ClockPace, Steps } from "./loop-turns.js";
import { sameJson } from "./same-json.js";

/** How an older list became a newer one. Both lists without the named rows are equal, order included. */
export interface ListDifference {
  /** Rows that the older list lacks, or has with other content or at another place; in the order of the newer list. */
  readonly upserts: readonly Upsert[];
  /** Keys of the rows that the newer list lacks, in the order of the older list. */
  readonly removed: readonly string[];
}

interface Upsert {
  readonly key: string;
  /** Its index in the newer list. */
  readonly index: number;
  /** True if the older list lacks its key. */
  readonly isNew: boolean;
}

/** A list with the key of each index. */
interface Keyed {
  readonly rows: readonly unknown[];
  readonly keyAt: (index: number) => string;
}

/** Rows between two reads of the clock: a few tens of microseconds. */
const ROWS_PER_LOOK = 64;
/** Rows in which a row that was added, removed or moved is searched before the rest of the list is. */
const LOOKAHEAD_ROWS = 32;
const NONE = -1;

/**
 * Compares two lists of JSON values in slices. Of rows with the same key, the second has the key `<key>#2`, and so on.
 * Lists in nearly the same order need no index, so that a comparison costs little more than reading the rows.
 */
export function* differenceSteps<T>(
  older: readonly T[],
  newer: readonly T[],
  keyOf: (row: T) => string,
  pace: ClockPace,
): Steps<ListDifference> {
  const plain = (rows: readonly T[]): Keyed => ({ rows, keyAt: (index) => keyOf(rows[index] as T) });
  const [before, after] = [plain(older), plain(newer)];
  const difference = yield* keyedDifference(before, after, pace);
  const named = new Set<string>();
  yield* visitSteps(difference.upserts, pace, ({ key }) => named.add(key));
  yield* visitSteps(difference.removed, pace, (key) => named.add(key));
  const isUnique = !(yield* repeats(before, named, pace)) && !(yield* repeats(after, named, pace));
  if (isUnique) return difference;
  return yield* keyedDifference(yield* numbered(before, pace), yield* numbered(after, pace), pace);
}

/** The difference of lists of which no two changed rows have the same key. */
function* keyedDifference(older: Keyed, newer: Keyed, pace: ClockPace): Steps<ListDifference> {
  const { olderOf, removed } = yield* matches(older, newer, pace);
  const isKept = yield* keptRows(older, newer, olderOf, pace);
  const upserts: Upsert[] = [];
  for (let index = 0; index < newer.rows.length; index += 1) {
    if (isKept[index] === 0) upserts.push({ key: newer.keyAt(index), index, isNew: olderOf[index] === NONE });
  }
  return { upserts, removed };
}

interface Matches {
  /** For each row of the newer list, the index of the row with its key in the older list, or `NONE`. */
  readonly olderOf: Int32Array;
  /** Keys of the rows of the older list without a match. */
  readonly removed: readonly string[];
}

/** Matches the rows of two lists by key: in step, and those that are out of step by an index. */
function* matches(older: Keyed, newer: Keyed, pace: ClockPace): Steps<Matches> {
  const olderOf = new Int32Array(newer.rows.length).fill(NONE);
  const [lost, gained]: [number[], number[]] = [[], []];
  let [from, to] = [0, 0];
  while (from < older.rows.length && to < newer.rows.length) {
    if (older.keyAt(from) === newer.keyAt(to)) olderOf[to++] = from++;
    else {
      const { ofOlder, ofNewer } = outOfStep(older, from, newer, to);
      for (const end = from + ofOlder; from < end; from += 1) lost.push(from);
      for (const end = to + ofNewer; to < end; to += 1) gained.push(to);
    }
    if (to % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  for (; from < older.rows.length; from += 1) lost.push(from);
  for (; to < newer.rows.length; to += 1) gained.push(to);
  const lostByKey = new Map<string, number>();
  /** Named as removed, so that the lists are compared again with keys of their own. */
  const repeated: string[] = [];
  for (const [count, index] of lost.entries()) {
    const key = older.keyAt(index);
    if (lostByKey.has(key)) repeated.push(key);
    else lostByKey.set(key, index);
    if (count % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  for (const [count, index] of gained.entries()) {
    const key = newer.keyAt(index);
    const found = lostByKey.get(key);
    if (found !== undefined) {
      olderOf[index] = found;
      lostByKey.delete(key);
    }
    if (count % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  return { olderOf, removed: [...lostByKey.keys(), ...repeated] };
}

/** The numbers of rows to pass over until the lists are in step again; one of each if they are not soon. */
function outOfStep(older: Keyed, from: number, newer: Keyed, to: number): { ofOlder: number; ofNewer: number } {
  const [olderKey, newerKey] = [older.keyAt(from), newer.keyAt(to)];
  for (let ahead = 1; ahead <= LOOKAHEAD_ROWS; ahead += 1) {
    if (to + ahead < newer.rows.length && newer.keyAt(to + ahead) === olderKey) return { ofOlder: 0, ofNewer: ahead };
    if (from + ahead < older.rows.length && older.keyAt(from + ahead) === newerKey) {
      return { ofOlder: ahead, ofNewer: 0 };
    }
  }
  return { ofOlder: 1, ofNewer: 1 };
}

/** Marks the rows of the newer list that are equal in the older one, as many as have the same order in both. */
function* keptRows(older: Keyed, newer: Keyed, olderOf: Int32Array, pace: ClockPace): Steps<Uint8Array> {
  const isKept = new Uint8Array(olderOf.length);
  let [last, isOrdered] = [NONE, true];
  for (const [index, match] of olderOf.entries()) {
    if (match !== NONE && sameJson(older.rows[match], newer.rows[index])) {
      isKept[index] = 1;
      if (match < last) isOrdered = false;
      last = match;
    }
    if (index % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  if (!isOrdered) yield* leaveInOrder(isKept, olderOf, pace);
  return isKept;
}

/** Unmarks as few rows as possible, so that the matches of the others rise. */
function* leaveInOrder(isKept: Uint8Array, olderOf: Int32Array, pace: ClockPace): Steps<void> {
  /** For each length, the end of the rising sequence of that length that ends lowest. */
  const ends: number[] = [];
  const previous = new Int32Array(olderOf.length).fill(NONE);
  const matchAt = (index: number): number => olderOf[index] as number;
  for (let index = 0; index < olderOf.length; index += 1) {
    if (isKept[index] === 1) {
      const length = countBelow(ends, matchAt, matchAt(index));
      previous[index] = ends[length - 1] ?? NONE;
      ends[length] = index;
      isKept[index] = 0;
    }
    if (index % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  for (let index = ends.at(-1) ?? NONE; index !== NONE; index = previous[index] as number) isKept[index] = 1;
}

/** The number of ends with a lower match, which rise. */
function countBelow(ends: readonly number[], matchAt: (index: number) => number, match: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matchAt(ends[middle] as number) < match) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True if several rows have one of these keys. */
function* repeats({ rows, keyAt }: Keyed, keys: ReadonlySet<string>, pace: ClockPace): Steps<boolean> {
  if (keys.size === 0) return false;
  const seen = new Set<string>();
  for (let index = 0; index < rows.length; index += 1) {
    const key = keyAt(index);
    if (keys.has(key)) {
      if (seen.has(key)) return true;
      seen.add(key);
    }
    if (index % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  return false;
}

/** The rows with keys of their own. */
function* numbered({ rows, keyAt }: Keyed, pace: ClockPace): Steps<Keyed> {
  const counts = new Map<string, number>();
  const keys: string[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const key = keyAt(index);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    keys.push(count === 1 ? key : `${key}#${count}`);
    if (index % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  return { rows, keyAt: (index) => keys[index] as string };
}
