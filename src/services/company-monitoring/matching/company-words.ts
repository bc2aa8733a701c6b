import { ownFile } from "../../../kit/own-file.js";
import { type PhraseTable, phraseTable } from "../../../kit/phrases.js";
import { readWordLists } from "../../../kit/word-lists.js";

const lists = readWordLists(ownFile("data/company-words.txt"));

function list(name: string): readonly string[] {
  const words = lists[name];
  if (words === undefined) throw new Error(`company-words.txt: no list ${name}`);
  return words;
}

const wordSet = (...names: readonly string[]): ReadonlySet<string> => new Set(names.flatMap(list));

/** Words that are also names of companies; a capital inside a sentence tells them apart. */
export const ordinaryWords = wordSet("ordinary word");
/** Names that companies share with persons and places. */
export const sharedNames = wordSet("shared name");
export const groupEndings = wordSet("group ending");
export const firstNames = wordSet("first name");
export const personalTitles = wordSet("personal title");
export const otherOrganisations = wordSet("other organisation");
export const venues = wordSet("venue");
export const sourceVerbs = wordSet("as a source");
export const publishers = wordSet("publisher");
export const functionWords = wordSet("function word");
export const platforms = wordSet("platform");
export const states = wordSet("state");
export const otherLanguages = wordSet("other language");
export const comparisons: PhraseTable<true> = phrases("comparison before");

/** Endings of legal names as phrases of folded words. */
export const legalForms: PhraseTable<true> = phrases("legal form");
export const otherMeanings: PhraseTable<true> = phrases("not a company");
/** Context by its weight: 1, or ½ for words that ordinary nouns have around them as well. */
export const afterCompany: PhraseTable<number> = weighed("after a company", "weak after");
export const beforeCompany: PhraseTable<number> = weighed("before a company", "weak before");
export const businessWords: PhraseTable<true> = phrases("business");

function phrases(name: string): PhraseTable<true> {
  const table = phraseTable<true>();
  for (const phrase of list(name)) table.set(phrase.split(" "), true);
  return table;
}

function weighed(strong: string, weak: string): PhraseTable<number> {
  const table = phraseTable<number>();
  for (const phrase of list(weak)) table.set(phrase.split(" "), 0.5);
  for (const phrase of list(strong)) table.set(phrase.split(" "), 1);
  return table;
}
