import type { Steps } from "../kit/loop-turns.js";
import { COMPARED_CHARS_PER_UNIT } from "./equality.js";
import type { Fuel } from "./fuel.js";

/** Keys that are all numbers or all strings, so that any two of them can be compared. */
export interface SortKeys {
  readonly keys: readonly (number | string)[];
  /** True if a key contains a surrogate, so that the order of code units may differ from the order of code points. */
  readonly surrogates: boolean;
}

const SURROGATE = /[\ud800-\udfff]/;
/** Number of characters that are examined one by one in the time of one unit of `Fuel`. */
const WALKED_CHARS_PER_UNIT = 16;

/** The elements as keys; null unless they are all numbers or all strings. */
export function* sortKeysSteps(elements: readonly unknown[], fuel: Fuel): Steps<SortKeys | null> {
  const kind = typeof elements[0];
  let surrogates = false;
  for (const element of elements) {
    if (fuel.spend(1)) yield;
    if (typeof element !== kind || (kind !== "number" && kind !== "string")) return null;
    if (typeof element === "string") surrogates ||= hasSurrogates(element, fuel);
  }
  // The cast is safe, because the loop has checked every element. An empty list fits either type.
  return { keys: elements as readonly (number | string)[], surrogates };
}

function hasSurrogates(text: string, fuel: Fuel): boolean {
  fuel.spend(Math.floor(text.length / WALKED_CHARS_PER_UNIT));
  return SURROGATE.test(text);
}

/** Positions of the keys in ascending order; stable (a bottom-up merge sort). */
export function* ascendingSteps(sortKeys: SortKeys, fuel: Fuel): Steps<Uint32Array> {
  const count = sortKeys.keys.length;
  fuel.spend(count);
  let from = positionsUpTo(count);
  let into = new Uint32Array(count);
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      yield* mergeSteps({ sortKeys, from, into, start, width }, fuel);
    }
    [from, into] = [into, from];
  }
  return from;
}

function positionsUpTo(count: number): Uint32Array<ArrayBuffer> {
  const positions = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) positions[at] = at;
  return positions;
}

interface Merge {
  readonly sortKeys: SortKeys;
  readonly from: Uint32Array;
  readonly into: Uint32Array;
  readonly start: number;
  readonly width: number;
}

/**
 * Merges the run at `start` and the run after it, both of length `width`, from one list of positions into the other.
 */
function* mergeSteps({ sortKeys, from, into, start, width }: Merge, fuel: Fuel): Steps<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(middle + width, from.length);
  let left = start;
  let right = middle;
  for (let at = start; at < end; at += 1) {
    if (fuel.spend(1)) yield;
    const takeRight = left >= middle || (right < end && precedes(sortKeys, from[right], from[left], fuel));
    into[at] = from[takeRight ? right++ : left++] as number;
  }
}

/** True if the key at `a` sorts strictly before the key at `b`. */
function precedes(sortKeys: SortKeys, a: number | undefined, b: number | undefined, fuel: Fuel): boolean {
  // The casts are safe, because `a` and `b` are positions of keys.
  const keyA = sortKeys.keys[a as number] as number | string;
  const keyB = sortKeys.keys[b as number] as number | string;
  return isLess(keyA, keyB, sortKeys.surrogates, fuel);
}

/** True if `a` sorts before `b`: numbers by value, strings by Unicode code point. */
export function isLess(a: number | string, b: number | string, surrogates: boolean, fuel: Fuel): boolean {
  if (typeof a === "number" || typeof b === "number") return a < b;
  const shorter = Math.min(a.length, b.length);
  fuel.spend(Math.floor(shorter / (surrogates ? WALKED_CHARS_PER_UNIT : COMPARED_CHARS_PER_UNIT)));
  return surrogates ? isLessByCodePoint(a, b, shorter) : a < b;
}

function isLessByCodePoint(a: string, b: string, shorter: number): boolean {
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === shorter) return a.length < b.length;
  return codePointRank(a.charCodeAt(at)) < codePointRank(b.charCodeAt(at));
}

/**
 * The rank of a code unit at the first difference. Surrogates rank highest, because they encode the highest code
 * points.
 */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
