import { memberOf } from "../kit/member-of.js";
import { alpha2, countryByName } from "./countries.js";

/** Country names that only publishers of conflict data use. */
const otherNames: Readonly<Record<string, string>> = {
  "bosnia-herzegovina": "BA",
  "macedonia, fyr": "MK",
  "kingdom of eswatini (swaziland)": "SZ",
};

/**
 * Maximum size of the cache: far more than the number of country names, but bounded, because callers can send any text.
 */
const KNOWN_MAX = 5_000;
const cache = new Map<string, string>();

/**
 * Returns the lookup key of a country. If the text is an alpha-2 code or an English name, the key is the alpha-2 code.
 * Otherwise the key is the text in lower case. The case of the text does not matter. "Yemen (North Yemen)" is Yemen.
 */
export function countryKey(text: string): string {
  const written = text.trim().toLowerCase();
  let key = cache.get(written);
  if (key === undefined) {
    key = countryCode(written) ?? written;
    if (cache.size >= KNOWN_MAX) cache.clear();
    cache.set(written, key);
  }
  return key;
}

/** Converts an English name or alpha-2 code, in upper or lower case, to the alpha-2 code; undefined for other texts. */
export function countryCode(text: string): string | undefined {
  const written = text.trim().toLowerCase();
  if (written.length === 2) return alpha2(written);
  return memberOf(otherNames, written) ?? countryByName(written) ?? countryByName(withoutAside(written));
}

/** A name without a trailing part in brackets. */
function withoutAside(name: string): string {
  if (!name.endsWith(")")) return name;
  const before = name.lastIndexOf(")", name.length - 2);
  const start = name.indexOf("(", before + 1);
  return start === -1 ? name : name.slice(0, start).trimEnd();
}
