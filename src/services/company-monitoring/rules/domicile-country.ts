import { alpha2 } from "../../../geography/countries.js";
import type { Normal } from "./normal/normal-text.js";

const PREFIX = "DOMICILE_COUNTRY_";
export const NO_COUNTRY = `${PREFIX}UNSPECIFIED`;

/**
 * Returns the alpha-2 code of a domicile; undefined for `DOMICILE_COUNTRY_UNSPECIFIED`, and a problem for a code that
 * is not a country.
 */
export function domicileCode(name: string): Normal<string | undefined> {
  if (name === NO_COUNTRY) return { value: undefined };
  const code = name.slice(PREFIX.length);
  return alpha2(code) === code ? { value: code } : { problem: `must name a country of ISO 3166-1, got ${name}` };
}

/** Returns the contract's name for a domicile. */
export function domicileName(code: string): string {
  return `${PREFIX}${code}`;
}
