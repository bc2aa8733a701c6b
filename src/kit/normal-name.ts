import { folded } from "./words.js";

const NAME_CHARACTERS_MAX = 300;

/** Normalizes a name: lower case, no accents or punctuation, words separated by single spaces. */
export function normalName(name: string): string {
  return folded(name.slice(0, NAME_CHARACTERS_MAX))
    .replace(/['’`´]/g, "")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    .join(" ");
}
