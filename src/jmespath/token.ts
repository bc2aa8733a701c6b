/** Signs of the language, longest first so that `||` is never read as two pipes. */
export const SIGNS = [
  "[?",
  "[]",
  "&&",
  "||",
  "==",
  "!=",
  "<=",
  ">=",
  "<",
  ">",
  "!",
  "&",
  "|",
  ".",
  "*",
  ",",
  ":",
  "@",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
] as const;

export type Sign = (typeof SIGNS)[number];
export type TokenKind = Sign | "name" | "quoted name" | "number" | "literal" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The source text, for messages. */
  readonly text: string;
  /** Name, number or literal value; null for signs. */
  readonly value: unknown;
  /** Offset of the first character. */
  readonly at: number;
}
