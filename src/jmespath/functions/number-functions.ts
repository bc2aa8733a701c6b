import type { Steps } from "../../kit/loop-turns.js";
import { type Fuel, Long } from "../fuel.js";
import { SHORT_CHARS } from "../text.js";
import { typeOf } from "../values.js";
import { type Call, type FunctionRow, wrongType } from "./signature.js";

/**
 * The grammar of a JSON number, which is what `to_number` accepts; `Number()` alone would also accept "", " 1" and
 * "0x10".
 */
const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const WALKED_CHARS_PER_UNIT = 16;

export const numberFunctions: Readonly<Record<string, FunctionRow>> = {
  abs: ofNumber(Math.abs),
  ceil: ofNumber(Math.ceil),
  floor: ofNumber(Math.floor),
  sum: { parameters: ["array"], call: (call) => new Long("node visits", sumSteps(call)) },
  avg: { parameters: ["array"], call: (call) => new Long("node visits", averageSteps(call)) },
  to_number: { parameters: ["any"], call: ({ args: [value], fuel }) => toNumber(value, fuel) },
};

function ofNumber(compute: (value: number) => number): FunctionRow {
  return { parameters: ["number"], call: ({ args: [value] }) => compute(value as number) };
}

function* sumSteps(call: Call): Steps<number> {
  let sum = 0;
  for (const element of call.args[0] as readonly unknown[]) {
    if (call.fuel.spend(1)) yield;
    if (typeof element !== "number") throw wrongType(call.site, 0, "an array of numbers", `a ${typeOf(element)} in it`);
    sum += element;
  }
  return sum;
}

/** The mean; null for an empty list. */
function* averageSteps(call: Call): Steps<number | null> {
  const count = (call.args[0] as readonly unknown[]).length;
  const sum = yield* sumSteps(call);
  return count === 0 ? null : sum / count;
}

/**
 * Converts a number, or a string that contains a JSON number, to a number; null for everything else, and for numbers
 * beyond the range of a double.
 */
function toNumber(value: unknown, fuel: Fuel): unknown {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return null;
  if (value.length > SHORT_CHARS) return new Long("string bytes", longNumberSteps(value, fuel));
  return JSON_NUMBER.test(value) ? finite(Number(value)) : null;
}

/** Converts a long string in two passes. Checks the clock before each, because a pass cannot be interrupted. */
function* longNumberSteps(text: string, fuel: Fuel): Steps<number | null> {
  const units = Math.ceil(text.length / WALKED_CHARS_PER_UNIT);
  if (fuel.spend(units)) yield;
  if (!JSON_NUMBER.test(text)) return null;
  if (fuel.spend(units)) yield;
  return finite(Number(text));
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}
