import { cutText } from "../kit/cut-text.js";
import { htmlWords } from "./html-words.js";

/** A text may have been escaped several times. It is therefore unescaped in rounds; this is their maximum number. */
const ROUNDS_MAX = 8;
/** Text beyond this length is ignored. */
const READ_CHARACTERS_MAX = 100_000;

/**
 * Extracts the words of a piece of HTML. Tags, comments, scripts, control characters and invisible characters are
 * removed, entities are decoded, and white space is collapsed. The result is in NFC, and is cut to `charactersMax`
 * without splitting a character. Prose such as "a < b" is kept.
 */
export function plainText(html: string, charactersMax: number): string {
  let text = html.slice(0, READ_CHARACTERS_MAX);
  if (!MARKUP.test(text)) text = visible(text);
  for (let round = 0; round < ROUNDS_MAX && MARKUP.test(text); round += 1) {
    const before = text;
    text = visible(htmlWords(text.replace(AMPERSANDS, "&"), charactersMax));
    if (text === before) break;
  }
  // Text that still looks like markup after all rounds is removed.
  if (MARKUP.test(text)) text = text.replace(REFERENCE, " ").replace(TAG, " ").replace(OPEN_TAG, " ");
  return cutText(collapsed(text), charactersMax);
}

/** Text that another round would read as markup. */
const MARKUP = /<[a-z!/?]|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i;
const REFERENCE = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi;
const TAG = /<[a-z!/?][^<>]*>/gi;
const OPEN_TAG = /<(?=[a-z!/?])/gi;
/** An ampersand that was escaped at least once. */
const AMPERSANDS = /&(?:(?:amp|#0{0,6}38|#x0{0,6}26);)+/gi;

const BEYOND_ASCII = /[^ -~]/;
/** Matches characters that might not be in NFC. All characters below the combining marks are in NFC. */
const MAYBE_DECOMPOSED = /[\u0300-\uffff]/;
/** Control, direction-changing and other invisible characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;
/** Joiners are kept, because Persian, Hindi and combined emoji need them. */
const joiners: ReadonlySet<string> = new Set(["\u200c", "\u200d"]);

/**
 * Replaces white space with spaces, removes invisible characters and normalises the text to NFC. Without this step,
 * invisible characters could hide markup, or a later normalisation could create markup.
 */
function visible(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  const seen = text.replace(/[^\S ]/g, " ").replace(INVISIBLE, (char) => (joiners.has(char) ? char : ""));
  return MAYBE_DECOMPOSED.test(seen) ? seen.normalize("NFC") : seen;
}

function collapsed(text: string): string {
  return (text.includes("  ") ? text.replace(/ {2,}/g, " ") : text).trim();
}
