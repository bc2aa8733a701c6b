import { folded } from "../../../kit/words.js";

const NAME_CHARACTERS_MAX = 300;

/** Normalizes a name: lower case, no accents or punctuation, words separated by single spaces. */
export function normalName(name: string): string {
  return folded(name.slice(0, NAME_CHARACTERS_MAX))
    .replace(/['’`´]/g, "")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    .join(" ");
}

/** The order in which people say a name that is listed surname first (`HANIYA, Ismail`); undefined for others. */
export function spokenName(name: string): string | undefined {
  const comma = name.indexOf(", ");
  return comma > 0 && name.indexOf(",", comma + 1) === -1
    ? `${name.slice(comma + 2)} ${name.slice(0, comma)}`
    : undefined;
}
