import { visitSteps } from "./list-steps.js";
import type { ClockPace, Steps } from "./loop-turns.js";

/** A list with a key for each row. */
export interface KeyedRows {
  readonly rows: readonly unknown[];
  readonly keyAt: (index: number) => string;
  /** True if equal rows have equal keys. */
  readonly isKeyOfRow: boolean;
}

/** Number of rows between two reads of the clock: a few tens of microseconds of work. */
export const ROWS_PER_LOOK = 128;
/**
 * Number of rows to search in each list for the next match after an added, removed or moved row. Rows that moved
 * further are matched at the end, by a map of their keys.
 */
const LOOKAHEAD_ROWS = 32;
export const NO_MATCH = -1;

/**
 * Matches the rows of two lists by key. First walks through both lists in step, and skips rows that do not match. Then
 * matches the skipped rows by a map of their keys. Row objects that both lists share are not read.
 */
export class Matching {
  /** For each row of the newer list, the index of the older list's row with the same key, or `NO_MATCH`. */
  readonly olderOf: Int32Array;
  /** 1 for each row of the newer list whose match has equal content. */
  readonly isKept: Uint8Array;
  private readonly older: KeyedRows;
  private readonly newer: KeyedRows;
  private readonly isEqual: (older: unknown, newer: unknown) => boolean;
  private readonly areKeysOfRows: boolean;
  private readonly lost: number[] = [];
  private readonly gained: number[] = [];
  private from = 0;
  private to = 0;

  constructor(older: KeyedRows, newer: KeyedRows, isEqual: (older: unknown, newer: unknown) => boolean) {
    this.older = older;
    this.newer = newer;
    this.isEqual = isEqual;
    this.areKeysOfRows = older.isKeyOfRow && newer.isKeyOfRow;
    this.olderOf = new Int32Array(newer.rows.length).fill(NO_MATCH);
    this.isKept = new Uint8Array(newer.rows.length);
  }

  /**
   * Matches the next rows in step; false at the end of a list. The loop has no pauses, because without them it runs
   * several times as fast.
   */
  nextRows(): boolean {
    const { older, newer } = this;
    for (let rows = 0; rows < ROWS_PER_LOOK; rows += 1) {
      if (this.areKeysOfRows) this.matchShared();
      if (this.from >= older.rows.length || this.to >= newer.rows.length) return false;
      const isEqual = this.isEqual(older.rows[this.from], newer.rows[this.to]);
      const isMatch = (isEqual && this.areKeysOfRows) || older.keyAt(this.from) === newer.keyAt(this.to);
      if (isMatch) this.match(this.to++, this.from++, isEqual);
      else this.passOver(outOfStep(older, this.from, newer, this.to));
    }
    return true;
  }

  /** Matches the next rows while both lists have the same objects. Takes a few nanoseconds per row. */
  private matchShared(): void {
    const { olderOf, isKept, from, to } = this;
    const [older, newer] = [this.older.rows, this.newer.rows];
    const count = Math.min(older.length - from, newer.length - to);
    let shared = 0;
    for (; shared < count && older[from + shared] === newer[to + shared]; shared += 1) {
      olderOf[to + shared] = from + shared;
      isKept[to + shared] = 1;
    }
    this.from += shared;
    this.to += shared;
  }

  private match(index: number, olderIndex: number, isEqual: boolean): void {
    this.olderOf[index] = olderIndex;
    if (isEqual) this.isKept[index] = 1;
  }

  private passOver({ ofOlder, ofNewer }: { readonly ofOlder: number; readonly ofNewer: number }): void {
    for (const end = this.from + ofOlder; this.from < end; this.from += 1) this.lost.push(this.from);
    for (const end = this.to + ofNewer; this.to < end; this.to += 1) this.gained.push(this.to);
  }

  /** Matches the rows that were skipped, by key. Returns the keys of the older list's rows that stay unmatched. */
  *outOfStepSteps(pace: ClockPace): Steps<readonly string[]> {
    const { older, newer, lost, gained } = this;
    this.passOver({ ofOlder: older.rows.length - this.from, ofNewer: newer.rows.length - this.to });
    const lostByKey = new Map<string, number>();
    /**
     * Keys that several skipped rows of the older list share. They are returned as unmatched, so that
     * `differenceSteps` compares the lists again with unique keys.
     */
    const repeated: string[] = [];
    yield* visitSteps(lost, pace, (index) => {
      const key = older.keyAt(index);
      if (lostByKey.has(key)) repeated.push(key);
      else lostByKey.set(key, index);
    });
    yield* visitSteps(gained, pace, (index) => {
      const key = newer.keyAt(index);
      const lostIndex = lostByKey.get(key);
      if (lostIndex === undefined) return;
      lostByKey.delete(key);
      this.match(index, lostIndex, this.isEqual(older.rows[lostIndex], newer.rows[index]));
    });
    return [...lostByKey.keys(), ...repeated];
  }
}

/**
 * The number of rows to skip in each list to bring the lists back in step. If that would take more than
 * `LOOKAHEAD_ROWS` rows, one row is skipped in each list.
 */
function outOfStep(older: KeyedRows, from: number, newer: KeyedRows, to: number): { ofOlder: number; ofNewer: number } {
  const [olderKey, newerKey] = [older.keyAt(from), newer.keyAt(to)];
  for (let ahead = 1; ahead <= LOOKAHEAD_ROWS; ahead += 1) {
    if (to + ahead < newer.rows.length && newer.keyAt(to + ahead) === olderKey) return { ofOlder: 0, ofNewer: ahead };
    if (from + ahead < older.rows.length && older.keyAt(from + ahead) === newerKey) {
      return { ofOlder: ahead, ofNewer: 0 };
    }
  }
  return { ofOlder: 1, ofNewer: 1 };
}
