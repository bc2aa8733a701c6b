/** One word of a text: a run of letters and digits, or one character of a script without spaces. */
export interface Word {
  /** The word as written, including the dots of an abbreviation ("U.S."). */
  readonly written: string;
  /** The word in lower case, without accents and dots; the key for table lookups. */
  readonly folded: string;
  /** The text between this word and the previous one, at most 8 characters. Each run of white space is one space. */
  readonly before: string;
}

const COMBINING = /[\u0300-\u036f]/g;
const UNFOLDED = /[ßøłđæœıð]/g;
const foldings: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ð: "d",
};
const OTHER_LETTER = /[\p{L}\p{M}\p{N}]/u;
/**
 * Han, kana and Thai: scripts without spaces. Each character is a word, so a name of several characters is a phrase.
 */
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Thai}]/u;

/** Folds to lower case without accents, so that "São Tomé" and "SAO TOME" are one key. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .normalize("NFD")
    .replace(COMBINING, "")
    .replace(UNFOLDED, (letter) => foldings[letter] ?? letter);
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

const [LETTER, SPACELESS_LETTER] = [1, 2];

/** The kind of a character; 0 for word separators: spaces, signs, quotes, hyphens and apostrophes of every kind. */
function kindOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x80) {
    const isLetter = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);
    return isLetter ? LETTER : 0;
  }
  const character = text[at] ?? "";
  if (!OTHER_LETTER.test(character)) return 0;
  return code >= 0x0e00 && SPACELESS.test(character) ? SPACELESS_LETTER : LETTER;
}

/**
 * Longer words are truncated. No table contains a longer word, and with this limit a title that is one huge word costs
 * no more than other titles.
 */
const WORD_LENGTH_MAX = 48;

/**
 * Splits a text into its words and returns at most `most` of them. Takes linear time in the length of the text up to
 * the last returned word. Hyphens and apostrophes separate words ("China's", "Guinea-Bissau"); single letters with dots
 * are one word ("U.S."); "1,200" is 1200.
 */
export function wordsOf(text: string, most: number): Word[] {
  const words: Word[] = [];
  let end = 0;
  let at = 0;
  while (at < text.length && words.length < most) {
    const kind = kindOf(text, at);
    if (kind === 0) {
      at += 1;
      continue;
    }
    const start = at;
    at = kind === SPACELESS_LETTER ? at + 1 : endOfWord(text, at);
    const abbreviation = kind === LETTER && at - start === 1 ? endOfAbbreviation(text, start) : 0;
    if (abbreviation > 0) at = abbreviation;
    const written = text.slice(start, Math.min(at, start + WORD_LENGTH_MAX));
    const bare = abbreviation > 0 || isDigit(text, start) ? written.replaceAll(/[.,]/g, "") : written;
    words.push({ written, folded: folded(bare), before: separator(text, end, start) });
    end = at;
  }
  return words;
}

function endOfWord(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    if (kindOf(text, at) === LETTER) at += 1;
    else if (text[at] === "," && isDigit(text, at - 1) && isThousands(text, at + 1)) at += 1;
    else break;
  }
  return at;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

function isThousands(text: string, at: number): boolean {
  return isDigit(text, at) && isDigit(text, at + 1) && isDigit(text, at + 2) && !isDigit(text, at + 3);
}

/**
 * The end of an abbreviation such as "U.S." or "D.R.C" that begins here; 0 if there is none. A single letter with a
 * dot, such as "I." at the end of a sentence, is not an abbreviation.
 */
function endOfAbbreviation(text: string, start: number): number {
  let at = start;
  let letters = 0;
  while (at - start < 12 && kindOf(text, at) === LETTER && !isDigit(text, at) && text[at + 1] === ".") {
    letters += 1;
    at += 2;
  }
  if (letters === 0) return 0;
  const isLast = at < text.length && kindOf(text, at) === LETTER && kindOfOrEnd(text, at + 1) === 0;
  if (isLast) return at + 1;
  return letters > 1 ? at : 0;
}

function kindOfOrEnd(text: string, at: number): number {
  return at < text.length ? kindOf(text, at) : 0;
}

/** The text between two words, at most 8 characters long. A run of white space counts as one space. */
function separator(text: string, from: number, to: number): string {
  if (to - from === 1 && text[from] === " ") return " ";
  return text.slice(from, to).replaceAll(/\s+/g, " ").slice(0, 8);
}
