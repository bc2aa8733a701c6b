import type { Steps } from "../../kit/loop-turns.js";
import { type Fuel, Long } from "../fuel.js";
import { pickedSteps } from "../lists.js";
import { ascendingSteps, isLess, type SortKeys, sortKeysSteps } from "../order.js";
import { type Call, type FunctionRow, wrongType } from "./signature.js";

export const listFunctions: Readonly<Record<string, FunctionRow>> = {
  sort: { parameters: ["array"], call: sorted(0) },
  sort_by: { parameters: ["array", "expression"], call: sorted(1) },
  max: { parameters: ["array"], call: extreme(0, "max") },
  max_by: { parameters: ["array", "expression"], call: extreme(1, "max") },
  min: { parameters: ["array"], call: extreme(0, "min") },
  min_by: { parameters: ["array", "expression"], call: extreme(1, "min") },
  // Before this call, the `Machine` has applied the expression to each element.
  map: { parameters: ["expression", "array"], call: ({ args: [mapped] }) => mapped },
  to_array: { parameters: ["any"], call: ({ args: [value] }) => (Array.isArray(value) ? value : [value]) },
  not_null: { parameters: ["any"], variadic: true, call: ({ args }) => args.find((value) => value !== null) ?? null },
};

/**
 * Sorts the elements by their keys, ascending. The keys are the elements themselves or the results of the expression.
 */
function sorted(keysPosition: 0 | 1): (call: Call) => Long {
  return (call) => new Long("sort comparisons", sortedSteps(call, keysPosition));
}

function* sortedSteps(call: Call, keysPosition: 0 | 1): Steps<readonly unknown[]> {
  const keys = yield* sortKeysOf(call, keysPosition);
  const positions = yield* ascendingSteps(keys, call.fuel);
  return yield* pickedSteps(call.args[0] as readonly unknown[], positions, call.fuel);
}

/** Finds the first element with the largest or smallest key; null for an empty list. */
function extreme(keysPosition: 0 | 1, end: "min" | "max"): (call: Call) => Long {
  return (call) => new Long("sort comparisons", extremeSteps(call, keysPosition, end));
}

function* extremeSteps(call: Call, keysPosition: 0 | 1, end: "min" | "max"): Steps<unknown> {
  const keys = yield* sortKeysOf(call, keysPosition);
  const position = yield* extremePosition(keys, end, call.fuel);
  return (call.args[0] as readonly unknown[])[position] ?? null;
}

function* extremePosition({ keys, surrogates }: SortKeys, end: "min" | "max", fuel: Fuel): Steps<number> {
  let best = 0;
  for (let at = 1; at < keys.length; at += 1) {
    if (fuel.spend(1)) yield;
    // The casts are safe, because both positions are positions of keys.
    const [key, bestKey] = [keys[at] as number | string, keys[best] as number | string];
    const better = end === "max" ? isLess(bestKey, key, surrogates, fuel) : isLess(key, bestKey, surrogates, fuel);
    if (better) best = at;
  }
  return best;
}

function* sortKeysOf(call: Call, position: 0 | 1): Steps<SortKeys> {
  const keys = yield* sortKeysSteps(call.args[position] as readonly unknown[], call.fuel);
  if (keys !== null) return keys;
  const expected = position === 0 ? "an array of" : "an expression that yields";
  throw wrongType(call.site, position, `${expected} only numbers or only strings`, "a mixture or other values");
}
