import { type Column, countryCell, readCsv, textCell, textLike } from "../kit/csv-table.js";
import { ownFile } from "../kit/own-file.js";

/** Words and phrases of one kind. */
type Words = readonly string[];

/** English words that name a country in a headline. `=` before a word means that it matches only with its accents. */
export interface CountryWords {
  readonly country: string;
  /** Names and short names. */
  readonly names: Words;
  /** Adjectives and peoples; a plural with "s" also matches. */
  readonly people: Words;
  /** The capital, cities that are known worldwide, and seats of government. */
  readonly places: Words;
  /** States and provinces. A state also locates the town before it ("Paris, Texas"). */
  readonly states: Words;
}

/** Words for a country in another language, in addition to the names in `Intl.DisplayNames`. */
export interface CountryWordsAbroad {
  readonly language: string;
  readonly country: string;
  /** Names and places, which match only with a capital letter. */
  readonly places: Words;
  /** Adjectives and peoples, in upper or lower case; `*` matches any ending. */
  readonly people: Words;
}

const wordsCell: Column<Words> = (cell) => (cell === "" ? [] : cell.split(","));

export const countryWords: readonly CountryWords[] = readCsv(ownFile("data/country-words.csv"), {
  country: countryCell,
  names: (cell) => wordsCell(textCell(cell)),
  people: wordsCell,
  places: wordsCell,
  states: wordsCell,
});

export const countryWordsAbroad: readonly CountryWordsAbroad[] = readCsv(ownFile("data/country-words-abroad.csv"), {
  language: textLike(/^[a-z]{2}$/, "an ISO 639-1 code"),
  country: countryCell,
  places: wordsCell,
  people: wordsCell,
});
