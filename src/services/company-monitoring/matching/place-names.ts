import { cities } from "../../../geography/cities.js";
import { countryWords } from "../../../geography/country-words.js";
import { type PhraseTable, phraseTable } from "../../../kit/phrases.js";
import { wordsOf } from "../../../kit/words.js";
import { placeWords, states } from "./company-words.js";

const PLACE_WORDS_MAX = 8;

/** Names of cities, regions and countries, as folded words separated by spaces. */
export const placeNames: ReadonlySet<string> = new Set(
  [
    ...cities.map(({ name }) => name),
    // A name that begins with `=` means the country only if it is written with its accents. Folding removes accents, so
    // such a name is left out.
    ...countryWords
      .flatMap(({ names, places, states: own }) => [...names, ...places, ...own])
      .filter((name) => !name.startsWith("=")),
    ...placeWords,
    ...states,
  ].map(keyOf),
);

/** Adjectives of countries, such as "german". */
export const nationalities: ReadonlySet<string> = new Set(countryWords.flatMap(({ people }) => people.map(keyOf)));

/** States, provinces and countries, which follow a town after a comma. */
export const regions: PhraseTable<true> = regionTable();

function regionTable(): PhraseTable<true> {
  const table = phraseTable<true>();
  for (const region of countryWords.flatMap(({ names, states: own }) => [...names, ...own])) {
    const words = wordsOf(region, PLACE_WORDS_MAX).map(({ folded }) => folded);
    if (words.length > 0) table.set(words, true);
  }
  for (const state of states) table.set(state.split(" "), true);
  return table;
}

function keyOf(name: string): string {
  return wordsOf(name, PLACE_WORDS_MAX)
    .map(({ folded }) => folded)
    .join(" ");
}
