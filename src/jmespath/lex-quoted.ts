import { InvalidExpression } from "./errors.js";
import type { Token } from "./token.js";

/** Reads a quoted name such as `"a b"`, which is a JSON string. */
export function readQuotedName(expression: string, at: number): Token {
  const text = delimited(expression, at);
  return { kind: "quoted name", text, value: parseJson(text, "a JSON string", at), at };
}

/** Reads a raw string such as `'a b'`. The only escape is `\'`; every other backslash is literal. */
export function readRawString(expression: string, at: number): Token {
  const text = delimited(expression, at);
  const value = text.slice(1, -1).replace(/\\(.)/gs, (pair, escaped) => (escaped === "'" ? "'" : pair));
  return { kind: "literal", text, value, at };
}

/** Reads a literal between backticks. It is JSON in which a backtick is written `` \` ``. */
export function readLiteral(expression: string, at: number): Token {
  const text = delimited(expression, at);
  const json = text.slice(1, -1).replace(/\\(.)/gs, (pair, escaped) => (escaped === "`" ? "`" : pair));
  return { kind: "literal", text, value: parseJson(json, "JSON between backticks", at), at };
}

/** The text from the delimiter at `at` to the next unescaped delimiter of the same kind, both included. */
function delimited(expression: string, at: number): string {
  const delimiter = expression[at];
  let end = at + 1;
  while (end < expression.length && expression[end] !== delimiter) end += expression[end] === "\\" ? 2 : 1;
  if (end >= expression.length) throw new InvalidExpression("syntax", `unclosed ${delimiter}`, at);
  return expression.slice(at, end + 1);
}

function parseJson(text: string, expected: string, at: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidExpression("syntax", `expected ${expected}`, at);
  }
}
