import { LRUCache } from "lru-cache";
import { type AnyRowList, rowsIn } from "../../contract/row-list.js";
import type { StoredAnswer } from "../../contract/stored-answers.js";

/** An answer that all equal questions share. */
export type SharedAnswer = Omit<StoredAnswer, "question">;

/**
 * Stored answers in memory, bounded in bytes. They are shared because the watches of many callers can have the same
 * call, and the call of each watch is answered again when a dataset changes.
 */
export interface SharedAnswers {
  get(key: string): SharedAnswer | undefined;
  /** Keeps an answer. `list` declares the list in the answer's value, if there is one. */
  keep(key: string, answer: SharedAnswer, list: AnyRowList | undefined): void;
}

/** Number of rows whose text is measured to estimate the length of all rows. */
const MEASURED_ROWS = 16;
/** Estimated bytes of memory that a value takes per character of its JSON text. */
const BYTES_PER_CHARACTER = 3;
/** Memory of a row besides its content: its identity and its entry in the list. */
const ROW_BYTES = 150;
/** Memory of an answer besides its rows. */
const ANSWER_BYTES = 1_000;

export function sharedAnswers(bytesMax: number): SharedAnswers {
  const cache = new LRUCache<string, SharedAnswer>({ maxSize: bytesMax });
  return {
    get: (key) => cache.get(key),
    keep(key, answer, list) {
      // The size is capped, so that an answer larger than the cache is kept too, and is then the only one.
      cache.set(key, answer, { size: Math.min(bytesMax, ANSWER_BYTES + 2 * key.length + bytesOf(answer, list)) });
    },
  };
}

/**
 * Estimates the memory of an answer. For a list, only the first rows are measured, because writing a long list as JSON
 * takes too long.
 */
function bytesOf({ value }: SharedAnswer, list: AnyRowList | undefined): number {
  if (list === undefined) return JSON.stringify(value).length * BYTES_PER_CHARACTER;
  const rows = rowsIn(list, value);
  const measured = rows.slice(0, MEASURED_ROWS);
  const rowCharacters = JSON.stringify(measured).length / Math.max(1, measured.length);
  return Math.ceil(rows.length * (ROW_BYTES + rowCharacters * BYTES_PER_CHARACTER));
}
