import { cutText } from "../kit/cut-text.js";
import { htmlWords } from "./html-words.js";

/** Text that was escaped more than once is read again, but not for ever. */
const ROUNDS_MAX = 8;
/** More of a text than this is not looked at. */
const READ_CHARACTERS_MAX = 100_000;
/**
 * The words of a piece of HTML: no tags, comments, scripts or entities, white space collapsed, no control or invisible
 * characters, NFC, cut to `charactersMax` without splitting a character. Prose such as "a < b" stays what it is.
 */
export function plainText(html: string, charactersMax: number): string {
  let text = html.slice(0, READ_CHARACTERS_MAX);
  if (!MARKUP.test(text)) text = visible(text);
  for (let round = 0; round < ROUNDS_MAX && MARKUP.test(text); round += 1) {
    const before = text;
    text = visible(htmlWords(text.replace(AMPERSANDS, "&"), charactersMax));
    if (text === before) break;
  }
  // What still looks like markup, after so many rounds and without what hid it, is some.
  if (MARKUP.test(text)) text = text.replace(REFERENCE, " ").replace(TAG, " ").replace(OPEN_TAG, " ");
  return cutText(collapsed(text), charactersMax);
}

/** Anything that a second reading would take for markup. */
const MARKUP = /<[a-z!/?]|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i;
const REFERENCE = /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/gi;
const TAG = /<[a-z!/?][^<>]*>/gi;
const OPEN_TAG = /<(?=[a-z!/?])/gi;
/** An ampersand that was escaped any number of times. */
const AMPERSANDS = /&(?:(?:amp|#0{0,6}38|#x0{0,6}26);)+/gi;

const BEYOND_ASCII = /[^ -~]/;
/** Latin-1 and what lies before the combining marks is in NFC. */
const MAYBE_DECOMPOSED = /[\u0300-\uffff]/;
/** Control, direction-changing and other characters that cannot be seen. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu;
/** These are, by how Persian, Hindi and families of emoji are joined. */
const joiners: ReadonlySet<string> = new Set(["\u200c", "\u200d"]);

/** White space of any kind as spaces, nothing that cannot be seen, NFC: whatever could hide markup or turn into it. */
function visible(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  const seen = text.replace(/[^\S ]/g, " ").replace(INVISIBLE, (char) => (joiners.has(char) ? char : ""));
  return MAYBE_DECOMPOSED.test(seen) ? seen.normalize("NFC") : seen;
}

function collapsed(text: string): string {
  return (text.includes("  ") ? text.replace(/ {2,}/g, " ") : text).trim();
}
