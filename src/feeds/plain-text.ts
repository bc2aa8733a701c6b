import { Parser } from "htmlparser2";
import { cutText } from "../kit/cut-text.js";

/** Elements whose content is no text of the page. */
const silent: ReadonlySet<string> = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "iframe",
  "object",
  "svg",
  "math",
]);
/** Elements that do not part the words around them. */
const inline: ReadonlySet<string> = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);

/** Text that was escaped more than once is read again, but not for ever. */
const ROUNDS_MAX = 8;
/** More of a text than this is not looked at. */
const READ_CHARACTERS_MAX = 100_000;
/** So much is read at a time, to stop where enough words are found. */
const PIECE_CHARACTERS = 8_192;

/**
 * The words of a piece of HTML: no tags, comments, scripts or entities, white space collapsed, no control or invisible
 * characters, NFC, cut to `charactersMax` without splitting a character. Prose such as "a < b" stays what it is.
 */
export function plainText(html: string, charactersMax: number): string {
  let text = html.slice(0, READ_CHARACTERS_MAX);
  if (!MARKUP.test(text)) text = visible(text);
  for (let round = 0; round < ROUNDS_MAX && MARKUP.test(text); round += 1) {
    const before = text;
    text = visible(wordsOf(text.replace(AMPERSANDS, "&"), charactersMax));
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

/** Text between the tags; not all of it where what was found is plain and more than enough. */
function wordsOf(html: string, charactersMax: number): string {
  let words = "";
  let found = 0;
  let isPlain = true;
  let depthOfSilence = 0;
  const space = (name: string): void => {
    if (!inline.has(name)) words += " ";
  };
  const parser = new Parser(
    {
      onopentagname(name) {
        if (silent.has(name)) depthOfSilence += 1;
        space(name);
      },
      ontext(text) {
        if (depthOfSilence > 0) return;
        words += text;
        found += text.trim().length;
        isPlain &&= !(text.includes("<") || text.includes("&"));
      },
      onclosetag(name) {
        if (silent.has(name)) depthOfSilence -= 1;
        space(name);
      },
    },
    { decodeEntities: true, recognizeCDATA: true },
  );
  for (let from = 0; from < html.length && !(isPlain && found > 2 * charactersMax); from += PIECE_CHARACTERS) {
    parser.write(html.slice(from, from + PIECE_CHARACTERS));
  }
  parser.end();
  return words;
}

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
