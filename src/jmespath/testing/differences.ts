import jmespath from "jmespath";
import { InvalidExpression } from "../errors.js";
import { parse } from "../parse.js";
import type { Node } from "../syntax-tree.js";
import { search } from "./search.js";

/** The outcome of an expression: the JSON text of its result, or a refusal. */
export interface Outcome {
  readonly json: string | null;
  readonly error: unknown;
}

/** A class of cases in which the `jmespath` package deviates from the specification. */
export interface Difference {
  readonly name: string;
  /** The rule of the specification. */
  readonly because: string;
  /** A minimal case, with both results. */
  readonly example: { readonly expression: string; readonly document: unknown; ours: unknown; theirs: unknown };
  readonly explains: (expression: string, ours: Outcome, theirs: Outcome) => boolean;
}

/** Marks a refusal in an example. */
export const REFUSED = Symbol("refused");

export function oursFor(expression: string, document: unknown): Outcome {
  return outcome(() => search(expression, document));
}

export function theirsFor(expression: string, document: unknown): Outcome {
  // The cast is needed, because the package declares its parameter as `any`. The document is plain JSON.
  return outcome(() => jmespath.search(document as never, expression) as unknown);
}

function outcome(run: () => unknown): Outcome {
  try {
    return { json: JSON.stringify(run()) ?? "null", error: null };
  } catch (error) {
    return { json: null, error };
  }
}

/**
 * Undefined if the two implementations agree on a case; otherwise the explanation of the difference, or null if there
 * is no explanation.
 */
export function differenceOn(expression: string, document: unknown): Difference | null | undefined {
  const ours = oursFor(expression, document);
  const theirs = theirsFor(expression, document);
  if (ours.json === theirs.json) return undefined;
  return differences.find((difference) => difference.explains(expression, ours, theirs)) ?? null;
}

/** Returns a function that explains a difference if the expression calls one of these functions. */
function calling(...names: readonly string[]): Difference["explains"] {
  return (expression) => nodesOf(expression).some((node) => node.kind === "call" && names.includes(node.name));
}

function nodesOf(expression: string): readonly Node[] {
  try {
    return withInner(parse(expression));
  } catch {
    return [];
  }
}

/** The node and all nodes below it. */
function withInner(node: Node): readonly Node[] {
  return [node, ...childrenOf(node).flatMap(withInner)];
}

function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "chain":
      return [node.first, node.then];
    case "projection":
      return [node.source, ...(node.condition === null ? [] : [node.condition]), node.body];
    case "not":
      return [node.of];
    case "and":
    case "or":
    case "compare":
      return [node.left, node.right];
    case "list":
      return node.items;
    case "hash":
      return node.entries.map(({ value }) => value);
    case "call":
      return node.args.map((argument) => argument.node);
    default:
      return [];
  }
}

export const differences: readonly Difference[] = [
  {
    name: "ordering of values that are not numbers",
    because: "Ordering operators are only valid for numbers; the result for any other type is null.",
    example: { expression: "a < b", document: { a: "a", b: "b" }, ours: null, theirs: true },
    explains: (expression) =>
      nodesOf(expression).some(
        (node) => node.kind === "compare" && node.comparator !== "==" && node.comparator !== "!=",
      ),
  },
  {
    name: "errors that do not depend on the data",
    because:
      "How and when invalid-arity is raised is specific to the implementation; here it is raised before evaluation.",
    example: { expression: "a && abs()", document: {}, ours: REFUSED, theirs: null },
    explains: (_, { error }) =>
      error instanceof InvalidExpression &&
      ["invalid-arity", "unknown-function", "invalid-value"].includes(error.fault),
  },
  {
    name: "to_number of text that is not a JSON number",
    because: "Any string that conforms to the json-number production is supported; all else is null.",
    example: { expression: "to_number('')", document: {}, ours: null, theirs: 0 },
    explains: calling("to_number"),
  },
  {
    name: "avg of an empty list",
    because: "An empty array will produce a return value of null.",
    example: { expression: "avg(@) == `null`", document: [], ours: true, theirs: false },
    explains: calling("avg"),
  },
  {
    name: "contains by equality",
    because:
      "True if the array contains an element equal to the searched value; equality of lists and objects is deep.",
    example: { expression: "contains(@, `[1]`)", document: [[1]], ours: true, theirs: false },
    explains: calling("contains"),
  },
  {
    name: "starts_with where the prefix occurs again",
    because: "Returns true if the subject string starts with the prefix.",
    example: { expression: "starts_with('aa', 'a')", document: {}, ours: true, theirs: false },
    explains: calling("starts_with"),
  },
  {
    name: "length and reverse of text outside the basic plane",
    because: "A string is a sequence of Unicode code points; a string's length is the number of code points.",
    example: { expression: "length('😀')", document: {}, ours: 1, theirs: 2 },
    explains: calling("length", "reverse"),
  },
  {
    name: "sort of numbers",
    because: "Numbers sort by value.",
    example: { expression: "sort(@)", document: [10, 9], ours: [9, 10], theirs: [10, 9] },
    explains: calling("sort"),
  },
  {
    name: "order of strings",
    because: "Strings are ordered by code points; the order is not locale specific.",
    example: { expression: "max(@)", document: ["Z", "a"], ours: "a", theirs: "Z" },
    explains: calling("max", "min", "sort_by"),
  },
  {
    name: "max_by and min_by of strings and of an empty list",
    because: "The expression may return either strings or numbers; the result for an empty array is null.",
    example: { expression: "max_by(@, &a).a", document: [{ a: "x" }], ours: "x", theirs: null },
    explains: calling("max_by", "min_by"),
  },
  {
    name: "merge of something that is not an object",
    because: "Every argument of a variadic function is of the declared type, or invalid-type is raised.",
    example: { expression: "merge(@, `[1]`)", document: {}, ours: REFUSED, theirs: { 0: 1 } },
    explains: calling("merge"),
  },
  {
    name: "a group or an argument that begins with @",
    because: 'paren-expression = "(" expression ")", and a function argument is an expression; @ may begin one.',
    example: { expression: "(@.a)", document: { a: 1 }, ours: 1, theirs: REFUSED },
    explains: (expression) => /[(,]\s*@\s*[^,)\s]/.test(expression),
  },
];
