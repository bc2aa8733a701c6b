import rows from "./country-codes.json";

interface Codes {
  readonly code: string;
  readonly name: string;
}

const byWord = new Map<string, Codes>();
const all: Codes[] = [];
for (const [code = "", alpha3 = "", number = "", ...names] of rows) {
  const codes = { code, name: names[0] ?? code };
  all.push(codes);
  for (const word of [code, alpha3, number, ...names]) byWord.set(wordOf(word), codes);
}

/** The countries by name. */
export const COUNTRIES: readonly Codes[] = all.toSorted((a, b) => a.name.localeCompare(b.name, "en"));

/** The alpha-2 code of a country by its code, number or English name; undefined if none matches. */
export function countryCode(text: string): string | undefined {
  return byWord.get(wordOf(text))?.code;
}

/** The country codes for a string such as `Argentina, Chile`; empty if no country is recognised. */
export function countryCodesIn(text: string): readonly string[] {
  const whole = countryCode(text);
  if (whole !== undefined) return [whole];
  return text.split(/,|;| and /).flatMap((part) => countryCode(part) ?? []);
}

/**
 * Normalises a name: drops accents, case and text in brackets. Text in brackets is dropped because UCDP writes
 * `Yemen (North Yemen)`.
 */
function wordOf(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}|\([^()]*\)/gu, "")
    .trim()
    .toLowerCase();
}
