import { cities } from "../../geography/cities.js";
import { countryName } from "../../geography/countries.js";
import { countryCentres } from "../../geography/country-centres.js";

export interface TitlePlace {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** A name counts as a place right after one of these, or before a colon at the beginning of the title. */
const prepositions: Readonly<Record<string, string>> = {
  en: "in|near|outside|at|off|from|to|across|around|over",
  fr: "à|en|au|aux|près de|dans",
  de: "in|bei|nahe|aus|nach|vor",
  es: "en|cerca de|desde|a",
  pt: "em|na|no|perto de",
  it: "a|in|vicino a|da",
  nl: "in|bij|nabij|uit|naar",
  sv: "i|nära|utanför|från|vid",
};

/** Names that are more often something else: a state of the US, two countries at once, a word, a person's name. */
const ambiguous: ReadonlySet<string> = new Set(["Georgia", "Congo", "Chad", "Guinea", "Samoa", "Hamilton", "Victoria"]);

const places = new Map<string, TitlePlace>();
for (const [code, [latitude, longitude]] of Object.entries(countryCentres)) {
  const name = countryName(code);
  if (name !== undefined) places.set(name, { name, latitude, longitude });
}
const cityNames = new Set<string>();
for (const { name, latitude, longitude } of cities) {
  // Of two cities of one name neither is named plainly.
  if (cityNames.has(name)) places.delete(name);
  else if (!places.has(name)) places.set(name, { name, latitude, longitude });
  cityNames.add(name);
}
for (const name of ambiguous) places.delete(name);

const namePattern = [...places.keys()]
  .sort((one, other) => other.length - one.length || (one < other ? -1 : 1))
  .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  .join("|");

// A capital right behind says that the name goes on: "in Niger Delta", "in Washington Post interview".
const END = "(?![\\p{L}\\p{N}]|[-'’]\\p{L}{2}|\\s\\p{Lu})";
const patterns = new Map(
  Object.entries(prepositions).map(([language, words]) => [
    language,
    new RegExp(`(?:^|(?<=^|[^\\p{L}\\p{N}])(?:${caseless(words)})\\s(?:the\\s)?)(${namePattern})${END}`, "gu"),
  ]),
);

/** Prepositions also with a capital, as in "In Chile"; the names keep theirs. */
function caseless(words: string): string {
  return words.replace(
    /(^|\|)(\p{L})/gu,
    (_, bar: string, letter: string) => `${bar}[${letter}${letter.toUpperCase()}]`,
  );
}

/**
 * The place that a title names plainly, in languages in Latin letters whose place names are like the English ones;
 * undefined where it names none, or several that are not one within the other's country.
 */
export function placeIn(title: string, language: string): TitlePlace | undefined {
  const pattern = patterns.get(language);
  if (pattern === undefined) return undefined;
  const found = [...title.matchAll(pattern)]
    // At the beginning a name is a place only as a dateline: "Chile: wildfires spread".
    .filter((match) => match.index > 0 || match[0] !== match[1] || /^\s?[:–—]/u.test(title.slice(match[0].length)))
    .map(([, name = ""]) => name);
  const [first] = found;
  return new Set(found).size === 1 && first !== undefined ? places.get(first) : undefined;
}
