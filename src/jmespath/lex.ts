import { InvalidExpression } from "./errors.js";
import { readLiteral, readQuotedName, readRawString } from "./lex-quoted.js";
import { SIGNS, type Token } from "./token.js";

const BLANK = /[ \t\r\n]*/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /-?[0-9]+/y;

/** Splits an expression into tokens, followed by one `end`. Throws `InvalidExpression` with the position. */
export function lex(expression: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = skipBlank(expression, 0);
  while (at < expression.length) {
    const token = readToken(expression, at);
    tokens.push(token);
    at = skipBlank(expression, at + token.text.length);
  }
  tokens.push({ kind: "end", text: "", value: null, at });
  return tokens;
}

function skipBlank(expression: string, at: number): number {
  return at + (match(BLANK, expression, at)?.length ?? 0);
}

function readToken(expression: string, at: number): Token {
  switch (expression[at]) {
    case '"':
      return readQuotedName(expression, at);
    case "'":
      return readRawString(expression, at);
    case "`":
      return readLiteral(expression, at);
    default:
      return readPlain(expression, at);
  }
}

function readPlain(expression: string, at: number): Token {
  const name = match(NAME, expression, at);
  if (name !== undefined) return { kind: "name", text: name, value: name, at };
  const number = match(NUMBER, expression, at);
  if (number !== undefined) return { kind: "number", text: number, value: Number(number), at };
  const sign = SIGNS.find((candidate) => expression.startsWith(candidate, at));
  if (sign !== undefined) return { kind: sign, text: sign, value: null, at };
  throw new InvalidExpression("syntax", `unexpected ${String.fromCodePoint(expression.codePointAt(at) ?? 0)}`, at);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
