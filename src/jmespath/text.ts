import type { Steps } from "../kit/loop-turns.js";
import { BudgetExceeded } from "./errors.js";
import type { Fuel } from "./fuel.js";

/** Number of characters of a new string per unit of fuel. This limits the memory that a projection can fill. */
export const CREATED_CHARS_PER_UNIT = 4;
/** Up to this length a string is processed in one step; longer ones are processed in pieces. */
export const SHORT_CHARS = 256;
/**
 * Maximum length of a string that an expression may create. Copying such a string takes about 10 ms and cannot be
 * interrupted.
 */
const TEXT_CHARS_MAX = 5_242_880;
const COPIED_CHARS_PER_UNIT = 64;
const PIECE_CHARS = 4_096;
const WALKED_CHARS_PER_UNIT = 16;

/** The end of the piece that starts at `start`; it never separates a surrogate pair. */
export function pieceEnd(text: string, start: number, chars: number = PIECE_CHARS): number {
  const end = start + chars;
  if (end >= text.length) return text.length;
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

/** The number of code points. */
export function codePointCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1;
    count += 1;
  }
  return count;
}

export function* codePointCountSteps(text: string, fuel: Fuel): Steps<number> {
  let count = 0;
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start);
    if (fuel.spend(Math.ceil((end - start) / WALKED_CHARS_PER_UNIT))) yield;
    count += codePointCount(text.slice(start, end));
    start = end;
  }
  return count;
}

/** The text with its code points in reverse order. */
export function* reversedSteps(text: string, fuel: Fuel): Steps<string> {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start);
    if (fuel.spend(1 + Math.ceil((end - start) / CREATED_CHARS_PER_UNIT))) yield;
    pieces.push([...text.slice(start, end)].reverse().join(""));
    start = end;
  }
  return yield* assembledSteps(pieces.reverse(), fuel);
}

/** Joins all pieces into one string; throws `BudgetExceeded` if the string would be longer than `TEXT_CHARS_MAX`. */
export function* assembledSteps(pieces: readonly string[], fuel: Fuel): Steps<string> {
  const chars = pieces.reduce((sum, piece) => sum + piece.length, 0);
  refuseIfTooLong(chars);
  // Copying cannot be interrupted. If the current time slice is over, the copying therefore waits for the next one.
  if (fuel.spend(Math.ceil(chars / COPIED_CHARS_PER_UNIT))) yield;
  return pieces.join("");
}

/** Throws `BudgetExceeded` if a string of this many characters would be too long. */
export function refuseIfTooLong(chars: number): void {
  if (chars > TEXT_CHARS_MAX) {
    throw new BudgetExceeded("string bytes", `a string of more than ${TEXT_CHARS_MAX} characters`);
  }
}

/**
 * True if `text` contains `part`. Uses the Knuth–Morris–Pratt algorithm, because on repetitive text the built-in search
 * takes time proportional to the product of both lengths and cannot be interrupted.
 */
export function* includesSteps(text: string, part: string, fuel: Fuel): Steps<boolean> {
  if (part.length > text.length) return false;
  const borders = yield* borderSteps(part, fuel);
  let matched = 0;
  for (let at = 0; at < text.length && matched < part.length; at += 1) {
    if (at % WALKED_CHARS_PER_UNIT === 0 && fuel.spend(1)) yield;
    matched = extend(part, borders, matched, text.charCodeAt(at));
  }
  return matched === part.length;
}

/** For each prefix of `part`, the length of its longest proper prefix that is also its suffix. */
function* borderSteps(part: string, fuel: Fuel): Steps<Int32Array> {
  fuel.spend(Math.ceil(part.length / 2));
  const borders = new Int32Array(part.length);
  for (let at = 1; at < part.length; at += 1) {
    if (at % WALKED_CHARS_PER_UNIT === 0 && fuel.spend(1)) yield;
    borders[at] = extend(part, borders, borders[at - 1] as number, part.charCodeAt(at));
  }
  return borders;
}

/** The matched length of `part` after one more character. `matched` is the matched length before that character. */
function extend(part: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1] as number;
  return part.charCodeAt(length) === unit ? length + 1 : 0;
}
