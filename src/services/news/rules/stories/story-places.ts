import { countryMentionsIn } from "../../../../geography/country-mentions.js";
import { wordsOf } from "../../../../kit/words.js";
import { type ComparedTitle, pairFeatures, type WeighedTitle, WordFlag } from "./story-similarity.js";
import { bareTitle } from "./story-title.js";

/** The places that a title names. */
interface TitlePlaces {
  /** ISO 3166-1 alpha-2 codes (and XK). */
  readonly codes: readonly string[];
  /** Towns and states after a preposition ("strike on Odesa"), folded. English only. */
  readonly towns: readonly string[];
}

/**
 * Minimum share of common words at which two titles that each name a country of their own, besides a common one, report
 * different events: "Israeli strike on Rafah kills 12", "Israeli strike on Beirut kills 12".
 */
const SAME_WORDS = 0.4;
/** Maximum number of words read from a title, as in country-mentions.ts. */
const WORDS_MAX = 120;
const prepositions = new Set("in on at near off outside across around".split(" "));

/** Tests whether the titles with these indexes name different places, so that they report different events. */
export type PlacesDiffer = (some: number, other: number) => boolean;

/**
 * Returns a test for a batch of titles. A title's places are found when it is first tested, because most titles are
 * similar to no other. A capital or seat of government counts as its country; a title without a place differs from
 * none.
 */
export function placesDiffer(titles: readonly ComparedTitle[], weighed: readonly WeighedTitle[]): PlacesDiffer {
  const found: (TitlePlaces | undefined)[] = [];
  const placesAt = (index: number): TitlePlaces => {
    const title = titles[index];
    const places = found[index] ?? (title === undefined ? { codes: [], towns: [] } : placesIn(title));
    found[index] = places;
    return places;
  };
  return (some, other) => {
    const [a, b] = [placesAt(some), placesAt(other)];
    if (a.codes.length === 0 || b.codes.length === 0) return false;
    const isCommon = a.codes.some((code) => b.codes.includes(code));
    if (!isCommon) return true;
    const [first, second] = [weighed[some], weighed[other]];
    if (first === undefined || second === undefined) return false;
    if (haveOwn(a.codes, b.codes)) return pairFeatures(first, second).shared >= SAME_WORDS;
    return haveOwn(a.towns, b.towns) && differInNamesOnly(first, second);
  };
}

function placesIn({ title, language, publisher }: ComparedTitle): TitlePlaces {
  const words = wordsOf(bareTitle(title, publisher), WORDS_MAX);
  const mentions = countryMentionsIn(words, language);
  const towns = mentions.filter(
    ({ kind, start }) => (kind === "place" || kind === "state") && prepositions.has(words[start - 1]?.folded ?? ""),
  );
  return {
    codes: [...new Set(mentions.flatMap(({ codes }) => codes))],
    towns: towns.map(({ start, end }) =>
      words
        .slice(start, end)
        .map(({ folded }) => folded)
        .join(" "),
    ),
  };
}

/** Tests whether each list has an element that the other lacks. */
function haveOwn(some: readonly string[], others: readonly string[]): boolean {
  return some.some((item) => !others.includes(item)) && others.some((item) => !some.includes(item));
}

/** Tests whether two titles have the same words, except for equally many names and for numbers. */
function differInNamesOnly(a: WeighedTitle, b: WeighedTitle): boolean {
  const [ownA, ownB] = [ownNameCount(a, b), ownNameCount(b, a)];
  return ownA !== undefined && ownA === ownB;
}

/** Counts the names that only the first title has; undefined if it has other words of its own besides numbers. */
function ownNameCount(title: WeighedTitle, other: WeighedTitle): number | undefined {
  let count = 0;
  for (const [place, id] of title.ids.entries()) {
    if (other.ids.includes(id)) continue;
    const flags = title.flags[place] ?? 0;
    if ((flags & WordFlag.name) !== 0) count += 1;
    else if ((flags & WordFlag.number) === 0) return undefined;
  }
  return count;
}
