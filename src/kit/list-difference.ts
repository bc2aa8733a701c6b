import { visitSteps } from "./list-steps.js";
import { leaveAscent } from "./longest-ascent.js";
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
const ROWS_PER_LOOK = 128;
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
  const matching = new Matching(older, newer);
  while (matching.nextRows()) if (pace.isOver) yield;
  const removed = yield* matching.outOfStepSteps(pace);
  const { olderOf, isKept } = matching;
  if (!isRising(olderOf, isKept)) yield* leaveAscent(isKept, olderOf, pace);
  const upserts: Upsert[] = [];
  for (let index = isKept.indexOf(0); index !== NONE; index = isKept.indexOf(0, index + 1)) {
    upserts.push({ key: newer.keyAt(index), index, isNew: olderOf[index] === NONE });
    if (upserts.length % ROWS_PER_LOOK === 0 && pace.isOver) yield;
  }
  return { upserts, removed };
}

/** Matches the rows of two lists by key: in step, and those that are out of step by an index. */
class Matching {
  /** For each row of the newer list, the index of the row with its key in the older list, or `NONE`. */
  readonly olderOf: Int32Array;
  /** 1 for each row of the newer list that has an equal match. */
  readonly isKept: Uint8Array;
  private readonly older: Keyed;
  private readonly newer: Keyed;
  private readonly lost: number[] = [];
  private readonly gained: number[] = [];
  private from = 0;
  private to = 0;

  constructor(older: Keyed, newer: Keyed) {
    this.older = older;
    this.newer = newer;
    this.olderOf = new Int32Array(newer.rows.length).fill(NONE);
    this.isKept = new Uint8Array(newer.rows.length);
  }

  /** Matches the next rows in step; false at the end of a list. A loop without pauses runs several times as fast. */
  nextRows(): boolean {
    const { older, newer } = this;
    for (let rows = 0; rows < ROWS_PER_LOOK; rows += 1) {
      if (this.from >= older.rows.length || this.to >= newer.rows.length) return false;
      if (older.keyAt(this.from) === newer.keyAt(this.to)) this.match(this.to++, this.from++);
      else this.passOver(outOfStep(older, this.from, newer, this.to));
    }
    return true;
  }

  private match(index: number, olderIndex: number): void {
    this.olderOf[index] = olderIndex;
    if (sameJson(this.older.rows[olderIndex], this.newer.rows[index])) this.isKept[index] = 1;
  }

  private passOver({ ofOlder, ofNewer }: { readonly ofOlder: number; readonly ofNewer: number }): void {
    for (const end = this.from + ofOlder; this.from < end; this.from += 1) this.lost.push(this.from);
    for (const end = this.to + ofNewer; this.to < end; this.to += 1) this.gained.push(this.to);
  }

  /** Matches the other rows. Returns the keys of the rows of the older list without a match. */
  *outOfStepSteps(pace: ClockPace): Steps<readonly string[]> {
    const { older, newer, lost, gained } = this;
    this.passOver({ ofOlder: older.rows.length - this.from, ofNewer: newer.rows.length - this.to });
    const lostByKey = new Map<string, number>();
    /** Named as removed, so that the lists are compared again with keys of their own. */
    const repeated: string[] = [];
    yield* visitSteps(lost, pace, (index) => {
      const key = older.keyAt(index);
      if (lostByKey.has(key)) repeated.push(key);
      else lostByKey.set(key, index);
    });
    yield* visitSteps(gained, pace, (index) => {
      const key = newer.keyAt(index);
      const found = lostByKey.get(key);
      if (found !== undefined && lostByKey.delete(key)) this.match(index, found);
    });
    return [...lostByKey.keys(), ...repeated];
  }
}

/** True if the matches of the kept rows rise. */
function isRising(olderOf: Int32Array, isKept: Uint8Array): boolean {
  let last = NONE;
  for (let index = 0; index < olderOf.length; index += 1) {
    if (isKept[index] === 0) continue;
    const match = olderOf[index] as number;
    if (match < last) return false;
    last = match;
  }
  return true;
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

/** True if several rows have one of these keys. */
function* repeats(list: Keyed, keys: ReadonlySet<string>, pace: ClockPace): Steps<boolean> {
  if (keys.size === 0) return false;
  const seen = new Set<string>();
  for (let from = 0; from < list.rows.length; from += ROWS_PER_LOOK) {
    for (const key of amongNext(list, from, keys)) {
      if (seen.has(key)) return true;
      seen.add(key);
    }
    if (pace.isOver) yield;
  }
  return false;
}

/** The keys of the next rows that are among these. */
function amongNext({ rows, keyAt }: Keyed, from: number, keys: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  const end = Math.min(rows.length, from + ROWS_PER_LOOK);
  for (let index = from; index < end; index += 1) {
    const key = keyAt(index);
    if (keys.has(key)) found.push(key);
  }
  return found;
}

/** The rows with keys of their own. */
function* numbered({ rows, keyAt }: Keyed, pace: ClockPace): Steps<Keyed> {
  const { keys } = yield* numberedKeys(rows.length, keyAt, pace);
  return { rows, keyAt: (index) => keys[index] as string };
}

/** Keys of rows, each once. */
interface NumberedKeys {
  /** By the index of the row. */
  readonly keys: readonly string[];
  /** Rows whose key a row before them has. */
  readonly repeatCount: number;
}

/** The key of each row, where the second row with a key has the key `<key>#2`, and so on. */
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
