import { cutText } from "../../kit/cut-text.js";
import { escaped } from "../../kit/escaped-html.js";
import type { Hit } from "./search-index.js";

const CHARACTERS_MAX = 240;
const BEFORE_MATCH = 60;

/** Returns the part of a section around its first match. The result is HTML that marks the matching words. */
export function excerpt({ content, words }: Pick<Hit, "content" | "words">): string {
  const flat = content.replaceAll(/\s+/g, " ");
  const matches = new Set(words);
  const isMatch = (word: string): boolean => matches.has(word.toLowerCase());
  const first = wordsOf(flat).find(({ isWord, text }) => isWord && isMatch(text))?.at ?? 0;
  const start = startBefore(first, flat);
  const end = start + CHARACTERS_MAX;
  const marked = wordsOf(cutText(flat.slice(start), CHARACTERS_MAX)).map(({ isWord, text }) =>
    isWord && isMatch(text) ? `<mark>${escaped(text)}</mark>` : escaped(text),
  );
  return `${start > 0 ? "… " : ""}${marked.join("")}${end < flat.length ? " …" : ""}`;
}

/**
 * Returns the index at which the excerpt starts: the start of a word shortly before the match, or the match itself if
 * it follows a long word.
 */
function startBefore(match: number, text: string): number {
  if (match <= BEFORE_MATCH) return 0;
  const space = text.indexOf(" ", match - BEFORE_MATCH);
  return space >= 0 && space < match ? space + 1 : match;
}

interface Piece {
  readonly text: string;
  readonly at: number;
  readonly isWord: boolean;
}

/** Splits a text into words and the gaps between them, as the search index does: at white space and punctuation. */
function wordsOf(text: string): readonly Piece[] {
  return Array.from(text.matchAll(/([^\p{Z}\p{P}]+)|([\p{Z}\p{P}]+)/gu), ({ 0: piece, 1: word, index }) => ({
    text: piece,
    at: index,
    isWord: word !== undefined,
  }));
}
