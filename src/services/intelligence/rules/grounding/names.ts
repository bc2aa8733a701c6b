import { cities } from "../../../../geography/cities.js";
import { alpha2, countryName } from "../../../../geography/countries.js";
import { allOtherNames, otherNamesOf } from "./demonyms.js";
import { plainWord } from "./numbers.js";
import {
  commonWords,
  compassWords,
  namingWords,
  organisations,
  placesLikeWords,
  terms,
  vagueAmounts,
} from "./words.js";

/** A word of a text, with the properties by which names are recognised. */
interface Word {
  /** The word in lower case, without accents and without a final `'s`. */
  readonly plain: string;
  readonly isCapital: boolean;
  readonly startsSentence: boolean;
  /** True if only a space or hyphen separates the word from the previous one. */
  readonly isJoined: boolean;
  /** True after a possessive, which ends a name. */
  readonly followsPossessive: boolean;
  /** True for words that contain digits or non-Latin letters. Plain numbers have already been removed. */
  readonly isOdd: boolean;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['.&][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;

/** Splits a normalised text into words. The parts of a hyphenated word are separate words. */
function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let end = 0;
  let wasPossessive = false;
  for (const match of text.matchAll(WORD)) {
    const [whole] = match;
    const isPossessive = /'s$/i.test(whole);
    const written = isPossessive ? whole.slice(0, -2) : whole;
    const between = text.slice(end, match.index);
    words.push({
      plain: plainWord(written).replace(/[.']/g, ""),
      // Also true for a capital inside the word: "McDonald", "iPhone".
      isCapital: /\p{Lu}|\p{Lt}/u.test(written),
      startsSentence: end === 0 || /[.!?]["')\]]* ?["'(]?$|["(] ?$| ["'(]$/.test(between),
      isJoined: end > 0 && (between === " " || between === "-"),
      followsPossessive: wasPossessive,
      isOdd: /[^\p{Script=Latin}\p{M}'.&]/u.test(written),
    });
    end = match.index + whole.length;
    wasPossessive = isPossessive;
  }
  return words;
}

/** Joins the words of a text into a searchable string, with a single space before, between and after them. */
export function wordLine(text: string): string {
  return ` ${wordsOf(text)
    .map(({ plain }) => plain)
    .join(" ")} `;
}

/** Finds the names in a text, except allowed names. The words of each found name are joined by single spaces. */
export function namesIn(text: string, allowed: AllowedNames): readonly string[] {
  const words = wordsOf(text);
  return [...capitalNames(words).flatMap((name) => withoutAllowed(name, allowed)), ...smallNames(words, allowed)];
}

/** Names that every claim of a brief may use, longest first. The words of a name are joined by single spaces. */
export type AllowedNames = readonly string[];

/** Returns the names and demonyms of a country, and terms such as "consumer price index". */
export function allowedNamesOf(code: string): AllowedNames {
  const names = [countryName(code) ?? code, ...otherNamesOf(code), ...terms];
  const plurals = otherNamesOf(code).map((name) => `${name}s`);
  const lines = new Set([...names, ...plurals].map((name) => wordLine(name).trim()));
  return [...lines].sort((a, b) => b.length - a.length);
}

/** Finds sequences of words that are written like names. */
function capitalNames(words: readonly Word[]): string[] {
  const names: string[] = [];
  let run: string[] = [];
  const end = (): void => {
    if (run.length > 0) names.push(run.join(" "));
    run = [];
  };
  for (const [index, word] of words.entries()) {
    if (!word.isJoined || word.followsPossessive) end();
    if (isNaming(word, words[index + 1])) run.push(word.plain);
    else end();
  }
  end();
  return names;
}

function isNaming(word: Word, next: Word | undefined): boolean {
  if (word.isOdd) return true;
  if (!word.isCapital || word.plain === "i") return false;
  if (!word.startsSentence) return true;
  const leads = namingWords.has(word.plain) && next?.isCapital === true && next.isJoined;
  return leads || !commonWords.has(word.plain);
}

/**
 * Removes the allowed names from a sequence of capitalised words and returns the remaining parts. Allowing `Sudan` does
 * not allow `South Sudan`.
 */
function withoutAllowed(name: string, allowed: AllowedNames): readonly string[] {
  const line = ` ${name} `;
  const allowedName = allowed.find((form) => line.includes(` ${form} `));
  if (allowedName === undefined) return [name];
  const at = line.indexOf(` ${allowedName} `);
  const around = [line.slice(0, at).trim(), line.slice(at + allowedName.length + 1).trim()];
  return around.filter((part) => part !== "").flatMap((part) => withoutAllowed(part, allowed));
}

const NAME_WORDS_MAX = 4;
let cachedNames: ReadonlySet<string> | undefined;
/**
 * The first words of the cached names. A search looks each word up here first, because most words do not start a name.
 */
let beginnings: ReadonlySet<string> | undefined;

/** Returns the places, peoples and organisations that are recognised without capitals. */
function knownNames(): ReadonlySet<string> {
  if (cachedNames) return cachedNames;
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const countries = letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code) => (alpha2(code) === undefined ? [] : [countryName(code) ?? ""]));
  const all = [...countries, ...cities.map(({ name }) => name), ...allOtherNames, ...organisations];
  const names = all.map((name) => wordLine(name).trim()).filter((name) => name !== "" && !placesLikeWords.has(name));
  cachedNames = new Set(names);
  beginnings = new Set(names.map((name) => name.split(" ", 1)[0] ?? ""));
  return cachedNames;
}

/**
 * Finds names that are written without capitals. Also finds compass directions and vague amounts, because the evidence
 * that a claim cites must contain these, too.
 */
function smallNames(words: readonly Word[], allowed: AllowedNames): string[] {
  const isAllowed = new Set(allowed);
  const begins = new Set(allowed.map((name) => name.split(" ", 1)[0]));
  const places = knownNames();
  const names: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const plain = words[at]?.plain ?? "";
    if (compassWords.has(plain) || vagueAmounts.has(plain)) names.push(plain);
    if (!begins.has(plain) && beginnings?.has(plain) !== true) continue;
    for (let length = NAME_WORDS_MAX; length > 0; length -= 1) {
      const name = words
        .slice(at, at + length)
        .map((word) => word.plain)
        .join(" ");
      if (isAllowed.has(name)) {
        at += length - 1;
        break;
      }
      if (!places.has(name) || (length === 1 && words[at]?.isCapital === true)) continue;
      names.push(name);
    }
  }
  return names;
}
