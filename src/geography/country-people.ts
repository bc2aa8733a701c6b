import { wordsOf } from "../kit/words.js";
import { countryWords } from "./country-words.js";

const WORDS_MAX = 8;
const foldedText = (text: string): string =>
  wordsOf(text, WORDS_MAX)
    .map(({ folded }) => folded)
    .join(" ");

const people: ReadonlySet<string> = new Set(
  countryWords.flatMap(({ people: words }) => words.flatMap((word) => [foldedText(word), `${foldedText(word)}s`])),
);

/** Tests whether folded English words are an adjective or a people ("Israeli", "South Koreans") and not a place. */
export function isPeople(folded: string): boolean {
  return people.has(folded);
}
