import type { Steps } from "../../kit/loop-turns.js";
import { COMPARED_CHARS_PER_UNIT, equalAtOnce, equalSteps } from "../equality.js";
import { type Fuel, Long } from "../fuel.js";
import { reversedListSteps } from "../lists.js";
import { serialiseSteps } from "../serialise.js";
import {
  assembledSteps,
  CREATED_CHARS_PER_UNIT,
  codePointCount,
  codePointCountSteps,
  includesSteps,
  refuseIfTooLong,
  reversedSteps,
  SHORT_CHARS,
} from "../text.js";
import { isObject, keysOf, typeOf } from "../values.js";
import { type Call, type FunctionRow, wrongType } from "./signature.js";

/** Number of strings that one step joins into a piece. The result is assembled from the pieces. */
const JOINED_AT_ONCE = 1_000;

export const textFunctions: Readonly<Record<string, FunctionRow>> = {
  contains: { parameters: ["array or string", "any"], call: contains },
  starts_with: { parameters: ["string", "string"], call: edge((text, part) => text.startsWith(part)) },
  ends_with: { parameters: ["string", "string"], call: edge((text, part) => text.endsWith(part)) },
  join: { parameters: ["string", "array"], call: (call) => new Long("string bytes", joinSteps(call)) },
  length: { parameters: ["array, object or string"], call: ({ args: [value], fuel }) => length(value, fuel) },
  reverse: { parameters: ["array or string"], call: ({ args: [value], fuel }) => reverse(value, fuel) },
  to_string: { parameters: ["any"], call: ({ args: [value], fuel }) => toText(value, fuel) },
};

function edge(test: (text: string, part: string) => boolean): (call: Call) => boolean {
  return ({ args, fuel }) => {
    const [text, part] = args as readonly [string, string];
    fuel.spend(Math.floor(part.length / COMPARED_CHARS_PER_UNIT));
    return test(text, part);
  };
}

/**
 * True if the first argument is a list with an element equal to the second argument, or a string that contains the
 * second argument. False if the first argument is a string and the second is not.
 */
function contains({ args: [subject, search], fuel }: Call): unknown {
  if (typeof subject !== "string") {
    return new Long("equality steps", hasElementSteps(subject as readonly unknown[], search, fuel));
  }
  if (typeof search !== "string") return false;
  if (subject.length > SHORT_CHARS) return new Long("string bytes", includesSteps(subject, search, fuel));
  fuel.spend(Math.floor(subject.length / CREATED_CHARS_PER_UNIT));
  return subject.includes(search);
}

function* hasElementSteps(elements: readonly unknown[], search: unknown, fuel: Fuel): Steps<boolean> {
  for (const element of elements) {
    if (fuel.spend(1)) yield;
    if (equalAtOnce(element, search, fuel) ?? (yield* equalSteps(element, search, fuel))) return true;
  }
  return false;
}

function* joinSteps(call: Call): Steps<string> {
  const [glue, parts] = call.args as readonly [string, readonly unknown[]];
  let chars = 0;
  for (const part of parts) {
    if (typeof part !== "string") throw wrongType(call.site, 1, "an array of strings", `a ${typeOf(part)} in it`);
    if (call.fuel.spend(1 + Math.ceil((part.length + glue.length) / CREATED_CHARS_PER_UNIT))) yield;
    chars += part.length + glue.length;
    refuseIfTooLong(chars);
  }
  const pieces: string[] = [];
  for (let start = 0; start < parts.length; start += JOINED_AT_ONCE) {
    if (call.fuel.spend(JOINED_AT_ONCE)) yield;
    pieces.push(start === 0 ? "" : glue, parts.slice(start, start + JOINED_AT_ONCE).join(glue));
  }
  return yield* assembledSteps(pieces, call.fuel);
}

/** The number of code points of a string, elements of a list, or members of an object. */
function length(value: unknown, fuel: Fuel): unknown {
  if (isObject(value)) return keysOf(value, fuel).length;
  if (typeof value !== "string") return (value as readonly unknown[]).length;
  return value.length > SHORT_CHARS
    ? new Long("string bytes", codePointCountSteps(value, fuel))
    : codePointCount(value);
}

function reverse(value: unknown, fuel: Fuel): Long {
  return typeof value === "string"
    ? new Long("string bytes", reversedSteps(value, fuel))
    : new Long("element copies", reversedListSteps(value as readonly unknown[], fuel));
}

/** Returns a string unchanged, and any other value as its JSON text. */
function toText(value: unknown, fuel: Fuel): unknown {
  if (typeof value === "string") return value;
  return new Long("string bytes", serialiseSteps(value, fuel));
}
