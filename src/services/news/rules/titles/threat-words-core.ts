import type { WordsByClass } from "./threat-classes.js";
import { latinCoreWords } from "./threat-words-core-latin.js";
import { scriptsCoreWords } from "./threat-words-core-scripts.js";

/**
 * The words without which a digest of a language would have no alarms, for the languages that have no larger list: what
 * kills, strikes, shakes, floods and burns, and what public business is about. By ISO 639-1 code.
 */
export const coreWords: Readonly<Record<string, WordsByClass>> = { ...latinCoreWords, ...scriptsCoreWords };
