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

/** One word of a text, with what matters for telling names. */
interface Word {
  /** Lower case, without accents, without 's. */
  readonly plain: string;
  readonly isCapital: boolean;
  readonly startsSentence: boolean;
  /** It follows the word before with nothing but a blank or hyphen between them. */
  readonly isJoined: boolean;
  /** The word before was a possessive: a name ends there. */
  readonly followsPossessive: boolean;
  /** Letters of other scripts than the Latin one, or digits: those that are numbers are no words here. */
  readonly isOdd: boolean;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['.&][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;

/** The words of an evened text. Those of hyphenated ones are words of their own. */
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
      // "McDonald" and "iPhone" too.
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

/** The words of a text between blanks, for finding names in it. */
export function wordLine(text: string): string {
  return ` ${wordsOf(text)
    .map(({ plain }) => plain)
    .join(" ")} `;
}

/** The names of a text, as words between single blanks, without the forms of the country that anything may be said of. */
export function namesIn(text: string, allowed: AllowedNames): readonly string[] {
  const words = wordsOf(text);
  return [...capitalNames(words).flatMap((name) => withoutAllowed(name, allowed)), ...smallNames(words, allowed)];
}

/** Forms of names that every claim may use, as word lines, longest first. */
export type AllowedNames = readonly string[];

/** The country's names and demonyms, and terms of measures. */
export function allowedNamesOf(code: string): AllowedNames {
  const names = [countryName(code) ?? code, ...otherNamesOf(code), ...terms];
  const plurals = otherNamesOf(code).map((name) => `${name}s`);
  const lines = new Set([...names, ...plurals].map((name) => wordLine(name).trim()));
  return [...lines].sort((a, b) => b.length - a.length);
}

/** Runs of words that are written like names. */
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

/** What is left of a run of capitals around the names that are allowed; `Sudan` is no licence for `South Sudan`. */
function withoutAllowed(name: string, allowed: AllowedNames): readonly string[] {
  const line = ` ${name} `;
  const known = allowed.find((form) => line.includes(` ${form} `));
  if (known === undefined) return [name];
  const at = line.indexOf(` ${known} `);
  const around = [line.slice(0, at).trim(), line.slice(at + known.length + 1).trim()];
  return around.filter((part) => part !== "").flatMap((part) => withoutAllowed(part, allowed));
}

const NAME_WORDS_MAX = 4;
let known: ReadonlySet<string> | undefined;
/** With which words they begin: most words begin none. */
let beginnings: ReadonlySet<string> | undefined;

/** Places, peoples and organisations that are recognised without capitals. */
function knownNames(): ReadonlySet<string> {
  if (known) return known;
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const countries = letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code) => (alpha2(code) === undefined ? [] : [countryName(code) ?? ""]));
  const all = [...countries, ...cities.map(({ name }) => name), ...allOtherNames, ...organisations];
  known = new Set(all.map((name) => wordLine(name).trim()).filter((name) => name !== "" && !placesLikeWords.has(name)));
  beginnings = new Set([...known].map((name) => name.split(" ", 1)[0] ?? ""));
  return known;
}

/** Names without capitals, parts of the compass, and amounts in words that only the evidence can have. */
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
