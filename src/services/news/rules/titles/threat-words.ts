import { readdirSync } from "node:fs";
import { readWordLists } from "../../../../kit/word-lists.js";
import { type ClassName, wordClasses } from "./threat-classes.js";

/** The phrases of a language by the class that they speak for; `*` is any ending, `#` a number. The longest phrase wins. */
export type WordsByClass = Readonly<Partial<Record<ClassName, readonly string[]>>>;

/**
 * A file for each language by its ISO 639-1 code. English, French, German, Portuguese and Spanish have large lists. Those
 * of the other languages hold the words without which a digest would have no alarms: what kills, strikes, shakes, floods
 * and burns, and what public business is about.
 */
const FOLDER = new URL("../../../../data/threat-words/", import.meta.url);

/** Languages with lists of their own. */
export const threatLanguages: ReadonlySet<string> = new Set(
  readdirSync(FOLDER).map((file) => file.replace(/\.txt$/, "")),
);

/** Reads the phrases of one of `threatLanguages`. Throws where a list is called after no class. */
export function threatWords(language: string): WordsByClass {
  const lists = readWordLists(new URL(`${language}.txt`, FOLDER));
  const unknown = Object.keys(lists).find((name) => !Object.hasOwn(wordClasses, name));
  if (unknown !== undefined) throw new Error(`${language}.txt: no class of words is called ${unknown}`);
  return lists;
}
