import { readdirSync } from "node:fs";
import { ownFile } from "../../../../kit/own-file.js";
import { readWordLists } from "../../../../kit/word-lists.js";
import { type ClassName, wordClasses } from "./threat-classes.js";

/**
 * The phrases of a language by class. `*` matches an ending of at most six characters, `#` a word that begins with a
 * digit. If several phrases match at a word, the longest one is used.
 */
export type WordsByClass = Readonly<Partial<Record<ClassName, readonly string[]>>>;

/**
 * A folder with a file for each language, named by its ISO 639-1 code. English, French, German, Portuguese and Spanish
 * have large lists. The other lists contain only core words, such as those for deaths, attacks, earthquakes, floods,
 * fires and public business.
 */
const FOLDER = ownFile("data/threat-words/");

/** Languages with word lists. */
export const threatLanguages: ReadonlySet<string> = new Set(
  readdirSync(FOLDER).map((file) => file.replace(/\.txt$/, "")),
);

/** Reads the phrases of one of `threatLanguages`. Throws if a list contains an unknown class. */
export function threatWords(language: string): WordsByClass {
  const lists = readWordLists(new URL(`${language}.txt`, FOLDER));
  const unknown = Object.keys(lists).find((name) => !Object.hasOwn(wordClasses, name));
  if (unknown !== undefined) throw new Error(`${language}.txt: unknown word class ${unknown}`);
  return lists;
}
