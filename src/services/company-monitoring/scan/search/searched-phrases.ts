import { nameForms } from "../../matching/name-forms.js";
import type { ScannedCompany } from "../provider.js";
import { namesOf } from "../providers/names-of.js";

/** Maximum number of names to search for per company. The main name comes first. */
const PHRASES_MAX = 4;
const [PHRASE_WORDS_MAX, PHRASE_CHARACTERS_MAX] = [8, 80];

/**
 * Characters that become spaces: all except letters, digits and the signs `& . ' ’ + -`. Names need these signs, and no
 * search treats them as operators inside a name. Quotes, brackets, colons, backslashes and control characters become
 * spaces.
 */
const OTHER = /[^\p{L}\p{M}\p{N}&.'’+-]+/gu;
const LETTER = /[\p{L}\p{M}\p{N}]/u;

/**
 * Returns the names to search for, without their legal forms. A name that contains an earlier name is omitted, because
 * a search for the shorter name finds it too. Empty for a company whose names have no letters or digits.
 */
export function searchedPhrases(company: Pick<ScannedCompany, "name" | "claims">): readonly string[] {
  const phrases: string[] = [];
  for (const name of namesOf(company)) {
    const phrase = phraseOf(name);
    const isFound = phrases.some((earlier) => ` ${phrase.toLowerCase()} `.includes(` ${earlier.toLowerCase()} `));
    if (phrase !== "" && !isFound) phrases.push(phrase);
    if (phrases.length === PHRASES_MAX) break;
  }
  return phrases;
}

/** Puts a phrase in quotes. `searchedPhrases` has already removed any quotes inside it. */
export function quoted(phrase: string): string {
  return `"${phrase}"`;
}

function phraseOf(name: string): string {
  const clean = wordsIn(name).join(" ");
  const core = nameForms(clean).find(({ isLegal, isShort }) => !isLegal && !isShort);
  const written = core?.words.map((word, at) => (at === 0 ? "" : word.before) + word.written).join("") ?? clean;
  let phrase = "";
  for (const word of wordsIn(written).slice(0, PHRASE_WORDS_MAX)) {
    const longer = phrase === "" ? word : `${phrase} ${word}`;
    if (longer.length > PHRASE_CHARACTERS_MAX) break;
    phrase = longer;
  }
  return phrase;
}

const NAME_CHARACTERS_MAX = 1_000;

function wordsIn(name: string): readonly string[] {
  return name
    .slice(0, NAME_CHARACTERS_MAX)
    .normalize("NFC")
    .replace(OTHER, " ")
    .split(" ")
    .map((word) => (word === "&" ? word : withoutEdges(word)))
    .filter((word) => word !== "");
}

/** Removes the signs at the edges of a word, because they could act as operators: `-word`, `+word`. */
function withoutEdges(word: string): string {
  const characters = [...word];
  const isLetter = (character: string): boolean => LETTER.test(character);
  return characters.slice(Math.max(0, characters.findIndex(isLetter)), characters.findLastIndex(isLetter) + 1).join("");
}
