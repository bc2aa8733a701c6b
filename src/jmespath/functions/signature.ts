import { counted } from "../../kit/counted.js";
import { InvalidExpression } from "../errors.js";
import type { Fuel } from "../fuel.js";
import { type JsonType, typeOf } from "../values.js";

/**
 * An argument of the type `expression` is written `&…`. The other argument of the function is a list. The value of
 * `&…` is a list, too: the result of the expression for each element of that list.
 */
export type Parameter = "any" | "expression" | JsonType | "array or string" | "array, object or string";

export interface FunctionRow {
  readonly parameters: readonly Parameter[];
  /** True if the last parameter may be repeated. */
  readonly variadic?: true;
  /** Returns the result, or a `Long` if the work may be too long for one step. Arguments have the declared types. */
  readonly call: (call: Call) => unknown;
}

/** A call that is being evaluated. */
export interface Call {
  readonly site: CallSite;
  readonly args: readonly unknown[];
  readonly fuel: Fuel;
}

/** Name of the called function and position of the call in the expression, for messages. */
export interface CallSite {
  readonly name: string;
  readonly at: number;
}

const ACCEPTED: Readonly<Record<Parameter, readonly JsonType[]>> = {
  any: ["null", "boolean", "number", "string", "array", "object"],
  expression: ["array"],
  null: ["null"],
  boolean: ["boolean"],
  number: ["number"],
  string: ["string"],
  array: ["array"],
  object: ["object"],
  "array or string": ["array", "string"],
  "array, object or string": ["array", "object", "string"],
};

/** Throws unless every argument has the type of its parameter. */
export function checkArguments(row: FunctionRow, { site, args }: Call): void {
  args.forEach((value, position) => {
    const parameter = row.parameters[Math.min(position, row.parameters.length - 1)] ?? "any";
    if (!ACCEPTED[parameter].includes(typeOf(value))) throw wrongType(site, position, parameter, typeOf(value));
  });
}

/**
 * Creates an error that names the function, the argument and the expected type. `position` counts from 0, the message
 * from 1.
 */
export function wrongType(site: CallSite, position: number, expected: string, actual: string): InvalidExpression {
  return new InvalidExpression(
    "invalid-type",
    `${site.name}() argument ${position + 1} must be ${expected}, got ${actual}`,
    site.at,
  );
}

/** Throws unless the function accepts `count` arguments. */
export function checkArity(row: FunctionRow, site: CallSite, count: number): void {
  const parameterCount = row.parameters.length;
  if (count === parameterCount || (row.variadic && count > parameterCount)) return;
  const detail = `${site.name}() takes ${row.variadic ? "at least " : ""}${counted(parameterCount, "argument")}`;
  throw new InvalidExpression("invalid-arity", `${detail}, got ${count}`, site.at);
}
