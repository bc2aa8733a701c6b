import type { Word } from "../../../kit/words.js";

/** The use of capitals in a title: for names only, for every word, or without meaning. */
export type TitleCapitals = "names" | "every-word" | "none";

/** A word of at least this many letters is a longer word. */
const LETTERS_MIN = 4;
/**
 * A title with only one longer word after the first word, such as "Nike Names New CEO", is `every-word` only if it has
 * more words than this and every word is capitalised.
 */
const SHORT_WORDS_MIN = 3;

/** Determines the use of capitals from the longer words of a title. The first word of the title is not considered. */
export function titleCapitals(words: readonly Word[]): TitleCapitals {
  let [small, capital, upper] = [0, 0, 0];
  for (const { written } of words.slice(1)) {
    if (written.length < LETTERS_MIN || written.toUpperCase() === written.toLowerCase()) continue;
    if (written === written.toUpperCase()) upper += 1;
    else if (isCapital(written) || /\p{Lu}/u.test(written)) capital += 1;
    else small += 1;
  }
  const count = small + capital + upper;
  if (count > 0 && (upper === count || (small === count && !words.some(({ written }) => isCapital(written)))))
    return "none";
  const isLong = count > 1 || (words.length > SHORT_WORDS_MIN && words.every(({ written }) => isCapital(written)));
  return isLong && small / count < 0.25 ? "every-word" : "names";
}

/** True for a word that begins with a capital or a digit, or whose script has no capitals. */
export function isCapital(written: string): boolean {
  const first = written[0] ?? "";
  return first.toUpperCase() === first && (first.toLowerCase() !== first || !/[a-z]/i.test(first));
}
