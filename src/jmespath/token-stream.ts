import { InvalidExpression } from "./errors.js";
import type { Token, TokenKind } from "./token.js";

/** Enough for every balanced nesting of brackets in 1,024 bytes, and far below the stack limit. */
const NESTING_MAX = 512;
const QUOTED_CHARS_MAX = 20;

/** Tokens read from left to right, with the nesting depth. */
export class TokenStream {
  private readonly tokens: readonly Token[];
  private index = 0;
  private depth = 0;

  /** `tokens` ends with an `end` token, which is never consumed. */
  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  /** The next token, or the token `ahead` positions after it, without consuming either. */
  peek(ahead = 0): Token {
    // The last token is `end`, which is also returned for positions after it.
    return this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)] as Token;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== "end") this.index += 1;
    return token;
  }

  /** Consumes the next token if it is of this kind; true if so. */
  accept(kind: TokenKind): boolean {
    if (this.peek().kind !== kind) return false;
    this.next();
    return true;
  }

  expect(kind: TokenKind): Token {
    return this.peek().kind === kind ? this.next() : this.fail(`expected ${kind}, found`);
  }

  /** Throws the syntax error that names the next token. */
  fail(before = "unexpected"): never {
    const { kind, text, at } = this.peek();
    const shown = text.length > QUOTED_CHARS_MAX ? `${text.slice(0, QUOTED_CHARS_MAX)}…` : text;
    const end = before === "unexpected" ? "end of the expression" : "the end of the expression";
    throw new InvalidExpression("syntax", `${before} ${kind === "end" ? end : shown}`, at);
  }

  /** Runs `parse` one level deeper. Throws beyond 512 levels. */
  nested<T>(parse: () => T): T {
    if (this.depth >= NESTING_MAX) {
      throw new InvalidExpression("syntax", `nested deeper than ${NESTING_MAX} levels`, this.peek().at);
    }
    this.depth += 1;
    const parsed = parse();
    this.depth -= 1;
    return parsed;
  }
}
