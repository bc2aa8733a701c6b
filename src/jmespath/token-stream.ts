import { InvalidExpression } from "./errors.js";
import type { Token, TokenKind } from "./token.js";

/** Room for every balanced nesting of brackets that fits in 1,024 bytes, and far from the end of the stack. */
const NESTING_MAX = 512;
const QUOTED_CHARS_MAX = 20;

/** Tokens read from left to right, with the depth of nesting. */
export class TokenStream {
  private readonly tokens: readonly Token[];
  private index = 0;
  private depth = 0;

  /** `tokens` ends with an `end` token, which is never passed. */
  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  /** The next token, or the one `ahead` of it, without passing it. */
  peek(ahead = 0): Token {
    // The last token is `end`, and looking past it finds it again.
    return this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)] as Token;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== "end") this.index += 1;
    return token;
  }

  /** True, and passes the next token, when it is of this kind. */
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

  /** What `parse` gives, one level deeper; refused beyond 512 levels. */
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
