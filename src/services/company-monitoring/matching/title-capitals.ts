import type { Word } from "../../../kit/words.js";

/** The use of capitals in a title: for names only, for every word, or without meaning. */
export type TitleCapitals = "names" | "every-word" | "none";

/** Minimum length of a counted word. Shorter words, such as "of", are often lower-case in any style. */
const LETTERS_MIN = 4;
/**
 * Maximum number of words of a short title. A title with only one counted word, such as "Nike Names New CEO", is
 * `every-word` only if it is longer than that and all its words are capitalised.
 */
const SHORT_TITLE_WORDS_MAX = 3;

/**
 * Determines the use of capitals in a title. Counts the words of at least `LETTERS_MIN` letters after the first word,
 * which is capitalised in any style. All words, including the first and the short ones, are consulted in two cases: if
 * the counted words are all lower-case, and if at most one word was counted.
 */
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
  const isLong =
    count > 1 || (words.length > SHORT_TITLE_WORDS_MAX && words.every(({ written }) => isCapital(written)));
  return isLong && small / count < 0.25 ? "every-word" : "names";
}

/** True for a word that begins with a capital or a digit, or whose script has no capitals. */
export function isCapital(written: string): boolean {
  const first = written[0] ?? "";
  return first.toUpperCase() === first && (first.toLowerCase() !== first || !/[a-z]/i.test(first));
}
