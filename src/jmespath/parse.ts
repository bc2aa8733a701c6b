import { InvalidExpression } from "./errors.js";
import { lex } from "./lex.js";
import { type Argument, type Comparator, CURRENT, type HashEntry, type Node } from "./syntax-tree.js";
import type { Token, TokenKind } from "./token.js";
import { TokenStream } from "./token-stream.js";

/**
 * Binding power of each sign over the expression before it. As in every published implementation, `[` binds tighter
 * than `!`, and a dot binds looser than `!`: `!a[0]` is `!(a[0])`, `!a.b` is `(!a).b`.
 */
const BINDING: Partial<Record<TokenKind, number>> = {
  "|": 1,
  "||": 2,
  "&&": 3,
  "==": 5,
  "!=": 5,
  "<": 5,
  "<=": 5,
  ">": 5,
  ">=": 5,
  "[]": 9,
  "[?": 21,
  ".": 40,
  "[": 55,
};
const NOT_BINDING = 45;
const DOT_BINDING = 40;
const FILTER_BINDING = 21;
const STAR_BINDING = 20;
const FLATTEN_BINDING = 9;

/** Parses an expression into a tree. Throws `InvalidExpression` with the position of the error. */
export function parse(expression: string): Node {
  const tokens = new TokenStream(lex(expression));
  const root = parseExpression(tokens, 0);
  if (tokens.peek().kind !== "end") tokens.fail();
  return root;
}

/** The longest expression whose operators all bind tighter than `binding`. */
function parseExpression(tokens: TokenStream, binding: number): Node {
  return tokens.nested(() => {
    let left = parsePrefix(tokens);
    while ((BINDING[tokens.peek().kind] ?? 0) > binding) left = parseInfix(tokens, left);
    return left;
  });
}

function parsePrefix(tokens: TokenStream): Node {
  switch (tokens.peek().kind) {
    case "literal":
      return { kind: "literal", value: tokens.next().value };
    case "name":
      return tokens.peek(1).kind === "(" ? parseCall(tokens) : parseField(tokens);
    case "quoted name":
      return parseField(tokens);
    case "@":
      tokens.next();
      return CURRENT;
    case "!":
      tokens.next();
      return { kind: "not", of: parseExpression(tokens, NOT_BINDING) };
    case "*":
      tokens.next();
      return project({ kind: "values" }, parseProjected(tokens, STAR_BINDING));
    case "[]":
    case "[?":
      return parseInfix(tokens, CURRENT);
    case "[":
      return startsBracketStep(tokens) ? parseInfix(tokens, CURRENT) : parseList(tokens);
    case "{":
      return parseHash(tokens);
    case "(":
      return parseGroup(tokens);
    default:
      return tokens.fail();
  }
}

function parseInfix(tokens: TokenStream, left: Node): Node {
  const sign = tokens.next().kind;
  switch (sign) {
    case "|":
      return chain(left, parseExpression(tokens, 1));
    case "||":
      return { kind: "or", left, right: parseExpression(tokens, 2) };
    case "&&":
      return { kind: "and", left, right: parseExpression(tokens, 3) };
    case ".":
      return parseDot(tokens, left);
    case "[]":
      return project(chain(left, { kind: "flatten" }), parseProjected(tokens, FLATTEN_BINDING));
    case "[?":
      return parseFilter(tokens, left);
    case "[":
      return parseBracketStep(tokens, left);
    default:
      // The cast is safe, because every other sign with a binding power is a comparator.
      return { kind: "compare", comparator: sign as Comparator, left, right: parseExpression(tokens, 5) };
  }
}

function parseField(tokens: TokenStream): Node {
  const { kind, value } = tokens.next();
  if (kind === "quoted name" && tokens.peek().kind === "(") tokens.fail("a quoted name cannot be called: unexpected");
  return { kind: "field", name: value as string };
}

function parseGroup(tokens: TokenStream): Node {
  tokens.expect("(");
  const inner = parseExpression(tokens, 0);
  tokens.expect(")");
  return inner;
}

function parseDot(tokens: TokenStream, left: Node): Node {
  if (!tokens.accept("*")) return chain(left, parseAfterDot(tokens, DOT_BINDING));
  return project(chain(left, { kind: "values" }), parseProjected(tokens, DOT_BINDING));
}

function parseAfterDot(tokens: TokenStream, binding: number): Node {
  switch (tokens.peek().kind) {
    case "name":
    case "quoted name":
    case "*":
      return parseExpression(tokens, binding);
    case "[":
      return parseList(tokens);
    case "{":
      return parseHash(tokens);
    default:
      return tokens.fail("expected a name, *, [ or { after the dot, found");
  }
}

/** The body of a projection: everything that follows and binds tighter than the projection. */
function parseProjected(tokens: TokenStream, binding: number): Node {
  switch (tokens.peek().kind) {
    case ".":
      tokens.next();
      return parseAfterDot(tokens, binding);
    // Accepts a multi-select list directly after a projection, without a dot: `rows[*][a, b]`. The grammar excludes
    // this form, but every published implementation accepts it, and it is used in practice.
    case "[":
    case "[?":
      return parseExpression(tokens, binding);
    default:
      return CURRENT;
  }
}

function parseFilter(tokens: TokenStream, source: Node): Node {
  const condition = parseExpression(tokens, 0);
  tokens.expect("]");
  return { kind: "projection", source, condition, body: parseProjected(tokens, FILTER_BINDING) };
}

/** True if the next bracket starts an index, a slice or a wildcard rather than a multi-select list. */
function startsBracketStep(tokens: TokenStream): boolean {
  const { kind } = tokens.peek(1);
  return kind === "number" || kind === ":" || (kind === "*" && tokens.peek(2).kind === "]");
}

function parseBracketStep(tokens: TokenStream, left: Node): Node {
  if (tokens.accept("*")) {
    tokens.expect("]");
    return project(left, parseProjected(tokens, STAR_BINDING));
  }
  const bounds = parseBounds(tokens);
  const index = bounds[0];
  if (bounds.length === 1 && index === undefined) tokens.fail("expected a number, : or *, found");
  tokens.expect("]");
  if (bounds.length > 1 || index === undefined) {
    return project(chain(left, slice(bounds)), parseProjected(tokens, STAR_BINDING));
  }
  return chain(left, { kind: "index", index: Number(index.value) });
}

/** The numbers of an index (one) or of a slice (two or three, separated by colons); undefined where omitted. */
function parseBounds(tokens: TokenStream): readonly (Token | undefined)[] {
  const bounds = [acceptNumber(tokens)];
  while (bounds.length < 3 && tokens.accept(":")) bounds.push(acceptNumber(tokens));
  return bounds;
}

function acceptNumber(tokens: TokenStream): Token | undefined {
  return tokens.peek().kind === "number" ? tokens.next() : undefined;
}

function slice([start, stop, step]: readonly (Token | undefined)[]): Node {
  if (step !== undefined && Number(step.value) === 0) {
    throw new InvalidExpression("invalid-value", "a slice cannot step by 0", step.at);
  }
  return {
    kind: "slice",
    start: start === undefined ? null : Number(start.value),
    stop: stop === undefined ? null : Number(stop.value),
    step: step === undefined ? 1 : Number(step.value),
  };
}

function parseList(tokens: TokenStream): Node {
  tokens.expect("[");
  const items = parseSequence(tokens, "]", () => parseExpression(tokens, 0));
  return { kind: "list", items };
}

function parseHash(tokens: TokenStream): Node {
  tokens.expect("{");
  const entries = parseSequence(tokens, "}", () => parseEntry(tokens));
  return { kind: "hash", entries };
}

function parseEntry(tokens: TokenStream): HashEntry {
  const { kind } = tokens.peek();
  if (kind !== "name" && kind !== "quoted name") tokens.fail("expected a key, found");
  const key = tokens.next().value as string;
  tokens.expect(":");
  return { key, value: parseExpression(tokens, 0) };
}

function parseCall(tokens: TokenStream): Node {
  const { text, at } = tokens.expect("name");
  tokens.expect("(");
  const args = tokens.accept(")") ? [] : parseSequence(tokens, ")", () => parseArgument(tokens));
  return { kind: "call", name: text, at, args };
}

function parseArgument(tokens: TokenStream): Argument {
  const byElement = tokens.accept("&");
  return { byElement, node: parseExpression(tokens, 0) };
}

/** One or more results of `parse`, separated by commas, up to and including `closing`. */
function parseSequence<T>(tokens: TokenStream, closing: TokenKind, parse: () => T): readonly T[] {
  const parsed = [parse()];
  while (tokens.accept(",")) parsed.push(parse());
  tokens.expect(closing);
  return parsed;
}

function chain(first: Node, then: Node): Node {
  return first === CURRENT ? then : { kind: "chain", first, then };
}

function project(source: Node, body: Node): Node {
  return { kind: "projection", source, condition: null, body };
}
