import type { Random } from "../../../../kit/random.js";
import { places } from "../../../../simulator/models/places.js";

const SYLLABLES = ["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "po", "ru", "sa", "te", "vi", "xo", "zu", "qua"];

/** The countries of simulated entries. */
export const countryNames: readonly string[] = places.map(({ name }) => name);

function word(random: Random, syllables: number): string {
  const letters = Array.from({ length: syllables }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join("");
  return letters.charAt(0).toUpperCase() + letters.slice(1);
}

/** Invents the name of a person. If there is a separator, the surname comes before it, in capitals. */
export function personOf(random: Random, separator: string): string {
  const [family, givenNames] = [word(random, 3), `${word(random, 2)} ${word(random, 2)}`];
  return separator === "" ? `${givenNames} ${family}` : `${family.toUpperCase()}${separator}${givenNames}`;
}

/** Invents the name of an organisation or vessel. */
export function phraseOf(random: Random, ending: string): string {
  return `SIMULATED ${word(random, 3).toUpperCase()} ${word(random, 2).toUpperCase()} ${ending}`.trim();
}
