import type { Steps } from "../kit/loop-turns.js";
import type { Fuel } from "./fuel.js";
import { isObject, type JsonObject, keysOf } from "./values.js";

/** Number of characters that a native comparison covers in the time of one unit of `Fuel`. */
export const COMPARED_CHARS_PER_UNIT = 256;

/** Two lists or two objects in a member-by-member comparison. */
interface Pair {
  readonly left: JsonObject | readonly unknown[];
  readonly right: JsonObject | readonly unknown[];
  /** Null for lists. */
  readonly keys: readonly string[] | null;
  readonly size: number;
  /** True once the right side is known to have the same size. */
  sized: boolean;
  next: number;
}

/** Compares two values without recursion into members; undefined if only a deep comparison can decide. */
export function equalAtOnce(left: unknown, right: unknown, fuel: Fuel): boolean | undefined {
  if (typeof left === "string" && typeof right === "string") {
    if (left.length !== right.length) return false;
    fuel.spend(Math.floor(left.length / COMPARED_CHARS_PER_UNIT));
    return left === right;
  }
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  return undefined;
}

/**
 * Compares two JSON values; the key order of objects does not matter. Not recursive, because an expression can nest
 * values hundreds of levels deep. A list or object that a value contains several times is compared each time; `fuel`
 * limits the work.
 */
export function* equalSteps(left: unknown, right: unknown, fuel: Fuel): Steps<boolean> {
  const verdict = equalAtOnce(left, right, fuel);
  if (verdict !== undefined) return verdict;
  const first = pair(left, right, fuel);
  if (first === null) return false;
  const open = [first];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (fuel.spend(2)) yield;
    const inner = compareNext(top, open, fuel);
    if (inner === false) return false;
  }
  return true;
}

/** Compares one member of the top pair, or closes the pair; false if a difference was found. */
function compareNext(top: Pair, open: Pair[], fuel: Fuel): boolean {
  if (!top.sized) {
    top.sized = true;
    // The sizes are compared here and not when the pair is opened, because listing the keys of two large objects takes
    // too long for one step.
    return keysOf(top.right as JsonObject, fuel).length === top.size;
  }
  if (top.next >= top.size) {
    open.pop();
    return true;
  }
  const key = top.keys === null ? top.next : (top.keys[top.next] as string);
  top.next += 1;
  const left = member(top.left, key);
  if (top.keys !== null && !Object.hasOwn(top.right, key)) return false;
  const right = member(top.right, key);
  const verdict = equalAtOnce(left, right, fuel);
  if (verdict !== undefined) return verdict;
  const inner = pair(left, right, fuel);
  if (inner !== null) open.push(inner);
  return inner !== null;
}

function member(holder: JsonObject | readonly unknown[], key: string | number): unknown {
  // The cast is safe, because `key` is a number for a list and a name for an object.
  return (holder as Readonly<Record<string | number, unknown>>)[key];
}

/** The pair to compare member by member. Null if only one value is a list, or if two lists have different sizes. */
function pair(left: unknown, right: unknown, fuel: Fuel): Pair | null {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length ? { left, right, keys: null, size: left.length, sized: true, next: 0 } : null;
  }
  if (!isObject(left) || !isObject(right)) return null;
  const keys = keysOf(left, fuel);
  return { left, right, keys, size: keys.length, sized: false, next: 0 };
}
