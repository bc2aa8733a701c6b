import { countryName } from "../../geography/countries.js";
import type { CountriesIn } from "./evidence/headlines.js";

/** Whether a country is named: its name as words in any case, or its code in capitals. */
export function mentionsOf(code: string): CountriesIn {
  const name = (countryName(code) ?? code).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const asWords = new RegExp(`(?<![\\p{L}\\p{N}])${name}(?![\\p{L}\\p{N}])`, "iu");
  const asCode = new RegExp(`(?<![\\p{L}\\p{N}])${code}(?![\\p{L}\\p{N}])`, "u");
  return (title) => (asWords.test(title) || asCode.test(title) ? [code] : []);
}
