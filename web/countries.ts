import { countryName } from "./format.js";

/** Codes that have a name but are not ISO 3166-1 countries. */
const OTHERS = new Set(["AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "XK", "ZZ"]);
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** A country or territory of ISO 3166-1. */
export interface Country {
  readonly code: string;
  readonly name: string;
}

/** All countries, sorted by name. */
export function countries(): readonly Country[] {
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => !OTHERS.has(code) && isCurrent(code))
    .map((code) => ({ code, name: countryName(code) }))
    .filter(({ code, name }) => name !== code)
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** False for a code that has been replaced by another, such as the former code of Burma. */
function isCurrent(code: string): boolean {
  return Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
}
