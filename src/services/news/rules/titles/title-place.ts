import { cities } from "../../../../geography/cities.js";
import { countryName } from "../../../../geography/countries.js";
import { countryCentres } from "../../../../geography/country-centres.js";
import { afterOwnCountry, isElsewhere } from "./place-region.js";

export interface TitlePlace {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** Prepositions that mark a place, by language. A name before a colon at the start of a title is also a place. */
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

/** Ambiguous names: US states, names that two countries share, common words and personal names. */
const ambiguous: ReadonlySet<string> = new Set(["Georgia", "Congo", "Chad", "Guinea", "Samoa", "Hamilton", "Victoria"]);

const places = new Map<string, TitlePlace>();
for (const [code, [latitude, longitude]] of Object.entries(countryCentres)) {
  const name = countryName(code);
  if (name !== undefined) places.set(name, { name, countryCode: code, latitude, longitude });
}
const cityNames = new Set<string>();
for (const { name, countryCode, latitude, longitude } of cities) {
  // A name shared by two cities is ambiguous.
  if (cityNames.has(name)) places.delete(name);
  else if (!places.has(name)) places.set(name, { name, countryCode, latitude, longitude });
  cityNames.add(name);
}
for (const name of ambiguous) places.delete(name);

/** Number of words in the place name with the most words. */
const NAME_WORDS = Math.max(...[...places.keys()].map((name) => name.split(" ").length));

const patterns = new Map(
  Object.entries(prepositions).map(([language, words]) => [
    language,
    new RegExp(`(?<=^|[^\\p{L}\\p{N}])(?:${words})\\s(?:the\\s)?(?=\\p{Lu})`, "gu"),
  ]),
);

/**
 * Finds the place that a title names. Works for languages in Latin script whose place names resemble the English ones.
 * Returns undefined if the title names no place or several, or shows by a state or a country that it means another
 * place of the same name ("Paris, Texas").
 */
export function placeIn(title: string, language: string): TitlePlace | undefined {
  const pattern = patterns.get(language);
  if (pattern === undefined) return undefined;
  const named = new Set<TitlePlace>();
  const [first, after] = leadingPlace(title, language);
  // At the start, a name is a place only as a dateline: "Chile: wildfires spread".
  if (first !== undefined && /^\s?[:–—]/u.test(after)) named.add(first);
  const lower = title.charAt(0).toLowerCase() + title.slice(1);
  for (const match of lower.matchAll(pattern)) {
    const [place, rest] = leadingPlace(title.slice(match.index + match[0].length), language);
    if (place === undefined) continue;
    if (isElsewhere(place, rest, language)) return undefined;
    named.add(place);
  }
  const [only, ...others] = named;
  return others.length === 0 ? only : undefined;
}

/** Matches text that continues a place name: "Niger Delta", "Washington Post", "Santiago de Cuba". */
const NAME_CONTINUES = /^\s(?:(?:de|del|do|da|di)\s)?\p{Lu}/u;

/** Finds the longest place name at the start of a text. Returns the place and the text after it. */
function leadingPlace(text: string, language: string): readonly [TitlePlace | undefined, string] {
  const ends = [...text.matchAll(/(?=[^\p{L}\p{N}'’.-])|$/gu)].slice(0, NAME_WORDS).map(({ index }) => index);
  for (const end of ends.reverse()) {
    const place = places.get(text.slice(0, end).replace(/['’]s$|\.$/u, ""));
    if (place === undefined) continue;
    const after = afterOwnCountry(place, text.slice(end), language);
    return NAME_CONTINUES.test(after) ? [undefined, after] : [place, after];
  }
  return [undefined, text];
}
