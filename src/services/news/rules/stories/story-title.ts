import { foldedWords, numberWords, withoutMarks } from "./story-words.js";

/** A word of a title, prepared for comparing stories. */
export interface TitleWord {
  /** The word without case, diacritics, inflection and number formatting. */
  readonly key: string;
  /** `decimal`: an identifying number, such as a magnitude. `number`: a number that may change as a story develops. */
  readonly kind: "word" | "number" | "decimal" | "initials" | "characters";
  readonly isCapital: boolean;
  /**
   * True for the first word of the title, and of each part after a punctuation mark. The capital of such a word does
   * not indicate a name.
   */
  readonly isFirst: boolean;
  /** Number of letters of the word as written. */
  readonly letters: number;
  /** True for a word of two to five capitals and digits that begins with a capital, such as "ECB". */
  readonly isAbbreviation: boolean;
}

/** Labels that newsrooms put before a title, in the languages of the feeds. */
const MARKS =
  /^(?:(?:update|wrapup|refile|corrected|exclusive|analysis|explainer|factbox|timeline|focus)(?:\s\d+)?\s?[-–—:]\s?|(?:live|breaking(?: news)?|just in|watch|live updates?|en direct|direct|urgent|eil(?:meldung)?|liveticker|última hora|en vivo|directo|ao vivo|urgente|diretta|son dakika|срочно|молния|наживо|pilne|na żywo|عاجل|مباشر|فوری|速报|快讯|速報|속보|ब्रेकिंग)\s?[:：|–—-]\s?)+/iu;

/** Matches a source after a vertical bar. After a hyphen, only the name of the title's own publisher is removed. */
const BAR = /\s[|｜]\s[^|｜]{1,40}$/u;

/** Words are cut to this number of letters, because inflection changes the end of a word. */
const STEM_LETTERS = 6;

/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+/u;
const PIECES =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+|\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:['’.](?=\p{L})[\p{L}\p{M}\p{N}]+)*|[:;!?–—"“”«»„]|\s-\s/gu;

const SEPARATOR = /^[\s:;!?–—"“”«»„-]/u;

/** Removes newsroom labels and the publisher's name from a title. */
export function bareTitle(title: string, publisher: string): string {
  let bare = title.normalize("NFKC").replace(/\s+/g, " ").trim().replace(MARKS, "").replace(BAR, "");
  const source = publisher.toLowerCase();
  const end = bare.toLowerCase();
  for (const separator of [" - ", " – ", " — "]) {
    if (source !== "" && end.endsWith(separator + source)) bare = bare.slice(0, -separator.length - source.length);
  }
  return bare.trim() || title;
}

/** Returns a reader for titles of one language. It caches repeated words. */
export function titleReader(language: string): (title: string, publisher: string) => readonly TitleWord[] {
  const cache: [Map<string, TitleWord>, Map<string, TitleWord>] = [new Map(), new Map()];
  return (title, publisher) =>
    wordsOf(title, publisher, (text, isFirst) => {
      const words = cache[isFirst ? 1 : 0];
      const word = words.get(text) ?? wordOf(text, language, isFirst);
      words.set(text, word);
      return word;
    });
}

/** Splits a title into words, in order. The initials of capitalised sequences come last. */
export function titleWords(title: string, language: string, publisher = ""): readonly TitleWord[] {
  return wordsOf(title, publisher, (text, isFirst) => wordOf(text, language, isFirst));
}

function wordsOf(
  title: string,
  publisher: string,
  read: (text: string, isFirst: boolean) => TitleWord,
): readonly TitleWord[] {
  const words: TitleWord[] = [];
  const raw: string[] = [];
  let isFirst = true;
  for (const piece of bareTitle(title, publisher).match(PIECES) ?? []) {
    if (SEPARATOR.test(piece)) {
      isFirst = true;
      raw.push("");
      continue;
    }
    if (/^\p{N}/u.test(piece)) words.push(numberOf(piece));
    else if (UNSPACED.test(piece)) words.push(...charactersOf(piece));
    else {
      const word = cutApostrophe(piece);
      words.push(read(word, isFirst));
      raw.push(word);
    }
    isFirst = false;
  }
  return [...words, ...initialsOf(raw)];
}

function numberOf(piece: string): TitleWord {
  // "10,000" and "10.000" are whole numbers, "7,1" and "7.1" are decimals.
  const whole = /^\p{N}{1,3}(?:[.,]\p{N}{3})+$/u.test(piece);
  const key = whole ? piece.replace(/[.,]/g, "") : piece.replaceAll(",", ".");
  const kind = key.includes(".") ? "decimal" : "number";
  return {
    key: key.replace(/\.0+$/, ""),
    kind,
    isCapital: false,
    isFirst: false,
    letters: piece.length,
    isAbbreviation: false,
  };
}

function charactersOf(piece: string): readonly TitleWord[] {
  const characters = [...piece.matchAll(/\P{M}\p{M}*/gu)].map(([character]) => character);
  const size = /\p{sc=Thai}|\p{sc=Lao}|\p{sc=Khmer}|\p{sc=Myanmar}/u.test(piece) ? 3 : 2;
  const count = Math.max(1, characters.length - size + 1);
  return Array.from({ length: count }, (_, index) => ({
    key: characters.slice(index, index + size).join(""),
    ...({ kind: "characters", isCapital: false, isFirst: false, letters: size, isAbbreviation: false } as const),
  }));
}

/** Cuts off the part after the apostrophe ("Chile's", "Balıkesir'de") or before it ("l'incendie"). */
function cutApostrophe(piece: string): string {
  const parts = piece.split(/['’]/);
  const [before = "", ...after] = parts;
  return after.length > 0 && before.length <= 2 ? after.join("") : before;
}

function wordOf(text: string, language: string, isFirst: boolean): TitleWord {
  const plain = withoutMarks(text.toLowerCase()).replaceAll(".", "");
  const counted = numberWords.get(language)?.get(plain);
  const isCapital = /^\p{Lu}/u.test(text);
  if (counted !== undefined)
    return { key: counted, kind: "number", isCapital: false, isFirst, letters: 2, isAbbreviation: false };
  const folded = language === "en" ? (foldedWords.get(plain) ?? plain) : plain;
  const isAbbreviation = /^\p{Lu}[\p{Lu}\p{N}]{1,4}$/u.test(text);
  const stem = language === "ar" || language === "fa" ? withoutArticle(folded) : folded;
  return {
    key: [...stem].slice(0, STEM_LETTERS).join(""),
    ...({ kind: "word", isCapital, isFirst, letters: [...plain].length, isAbbreviation } as const),
  };
}

function withoutArticle(word: string): string {
  return word.length > 4 ? word.replace(/^[وفبكل]?ال|^لل/u, "") : word;
}

/** Finds initials of capitalised sequences ("European Central Bank": ECB). Skips small words ("Bank of England"). */
function initialsOf(words: readonly string[]): readonly TitleWord[] {
  const initials: TitleWord[] = [];
  let run = "";
  const close = (): void => {
    if (run.length >= 2 && run.length <= 5) {
      initials.push({
        key: withoutMarks(run.toLowerCase()),
        kind: "initials",
        isCapital: true,
        isFirst: false,
        letters: run.length,
        isAbbreviation: false,
      });
    }
    run = "";
  };
  for (const word of words) {
    if (/^\p{Lu}\p{Ll}/u.test(word)) run += word[0];
    else if (!(run !== "" && word.length <= 3 && /^\p{Ll}+$/u.test(word))) close();
  }
  close();
  return initials;
}
