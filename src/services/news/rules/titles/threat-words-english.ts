import type { WordsByClass } from "./threat-classes.js";
import { harmWords } from "./threat-words-harm.js";
import { playWords } from "./threat-words-play.js";
import { publicWords } from "./threat-words-public.js";
import { violenceWords } from "./threat-words-violence.js";

export const englishWords: WordsByClass = { ...violenceWords, ...harmWords, ...publicWords, ...playWords };
