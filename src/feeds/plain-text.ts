import { Parser } from "htmlparser2";

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
const ROUNDS_MAX = 4;
/** More of a text than this is not looked at. */
const READ_CHARACTERS_MAX = 100_000;

/**
 * The words of a piece of HTML: no tags, comments, scripts or entities, white space collapsed, no control or invisible
 * characters, NFC, cut to `charactersMax` without splitting a character. Prose such as "a < b" stays what it is.
 */
export function plainText(html: string, charactersMax: number): string {
  let text = html.slice(0, READ_CHARACTERS_MAX);
  for (let round = 0; round < ROUNDS_MAX && MARKUP.test(text); round += 1) text = wordsOf(text);
  // What still looks like a tag, after so many rounds and without what hid it, is one.
  const bare = tidy(text).replace(TAG, " ").replace(OPEN_TAG, " ");
  return cut(bare.replace(/\s+/g, " ").trim(), charactersMax);
}

/** Anything that a second reading would take for markup. */
const MARKUP = /<[a-z!/?]|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i;
const TAG = /<[a-z!/?][^<>]*>/gi;
const OPEN_TAG = /<(?=[a-z!/?])/gi;

function wordsOf(html: string): string {
  const words: string[] = [];
  let depthOfSilence = 0;
  const space = (name: string): void => void (inline.has(name) || words.push(" "));
  const parser = new Parser(
    {
      onopentagname(name) {
        if (silent.has(name)) depthOfSilence += 1;
        space(name);
      },
      ontext(text) {
        if (depthOfSilence === 0) words.push(text);
      },
      onclosetag(name) {
        if (silent.has(name)) depthOfSilence -= 1;
        space(name);
      },
    },
    { decodeEntities: true, recognizeCDATA: true },
  );
  parser.end(html);
  return words.join("");
}

/** Control, direction-changing and other invisible characters, but not the joiners that Persian and Hindi are written with. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}]/gu;

function tidy(text: string): string {
  return text.replace(/\s+/g, " ").replace(INVISIBLE, "").normalize("NFC").trim();
}

function cut(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const end = /[\ud800-\udbff]/.test(text[charactersMax - 1] ?? "") ? charactersMax - 1 : charactersMax;
  return text.slice(0, end).trimEnd();
}
