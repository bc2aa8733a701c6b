import { cutText } from "../../../kit/cut-text.js";

/** Control, bidirectional and other invisible characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/**
 * Returns a source's text as one bounded line without invisible characters. Does not remove markup: code that shows the
 * line must show it as plain text, not as HTML.
 */
export function cleanText(text: string, charactersMax: number): string {
  const line = text
    .slice(0, 4 * charactersMax)
    .replace(INVISIBLE, " ")
    .replace(/\s+/gu, " ")
    .trim();
  return cutText(line, charactersMax);
}
