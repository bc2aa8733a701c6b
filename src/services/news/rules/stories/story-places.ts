import { type CountryMention, countryMentionsIn } from "../../../../geography/country-mentions.js";
import { isPeople } from "../../../../geography/country-people.js";
import { type Word, wordsOf } from "../../../../kit/words.js";
import { type ComparedTitle, pairFeatures, type WeighedTitle, WordFlag } from "./story-similarity.js";
import { bareTitle } from "./story-title.js";

/** The places of an event and the other names of a title. */
interface TitlePlaces {
  /** ISO 3166-1 alpha-2 codes (and XK); Hong Kong and Macau count as China. */
  readonly countries: ReadonlySet<string>;
  readonly states: ReadonlySet<string>;
  readonly towns: ReadonlySet<string>;
  /** Folded capitalised words that are no places and no peoples. */
  readonly names: ReadonlySet<string>;
}

const nowhere: TitlePlaces = { countries: new Set(), states: new Set(), towns: new Set(), names: new Set() };
/** Minimum share of common words at which two titles about events in different countries are kept apart. */
const SAME_WORDS = 0.4;
/** Maximum number of words read from a title, as in country-mentions.ts. */
const WORDS_MAX = 120;
/** Maximum number of words between a preposition and its place: "in the southern Philippines". */
const BETWEEN_MAX = 3;

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
const prepositions = setOf("in at near off on");
const between = setOf(`the coast of north south east west northern southern eastern western central northeast northwest
  southeast southwest northeastern northwestern southeastern southwestern`);
const quakes = setOf("earthquake earthquakes quake quakes tremor aftershock");
const quakeVerbs = setOf("strikes hits rocks shakes jolts");
/** Words that are capitalised at the beginning of a title without being a name. */
const firstWords =
  setOf(`a an the at in on near off after more over dozens hundreds thousands several many two three four
  five six seven eight nine ten magnitude strong powerful major massive huge deadly heavy fresh new mass earthquake quake
  aftershock explosion explosions blast blasts fire fires wildfire wildfires flood floods flooding flash landslide
  landslides mudslide storm storms tornado tornadoes avalanche volcano heatwave bus train plane helicopter ferry boat
  ship car truck lorry jet coach minibus cargo passenger migrant migrants tourist school church mosque market hotel mine
  building bridge factory plant crash collision derailment collapse stampede shooting gunman gunmen knife stabbing
  attack airstrike airstrikes strike strikes drone drones missile missiles rocket rockets shelling suicide bomb bombing
  roadside police protest protests protesters clashes riots army soldiers troops rebels militants teachers workers
  children toll death deaths dead outbreak power ebola cholera measles mpox dengue`);
/** Territories that are also called by the name of their state. */
const stateOf: ReadonlyMap<string, string> = new Map([
  ["HK", "CN"],
  ["MO", "CN"],
  ["PR", "US"],
]);
/** Names of territories that the country words list as towns. */
const territories = setOf("gaza gaza-strip west-bank");

/** Tests whether the titles with these indexes name different places, so that they report different events. */
export type PlacesDiffer = (some: number, other: number) => boolean;

/**
 * Returns a test for a batch of titles. A title's places are found when it is first tested, because most titles are
 * similar to no other. The test is for English titles, because it needs their prepositions and capital letters. A title
 * without a place differs from none, and neither do titles that share another name, such as a person's.
 */
export function placesDiffer(titles: readonly ComparedTitle[], weighed: readonly WeighedTitle[]): PlacesDiffer {
  const found: (TitlePlaces | undefined)[] = [];
  const placesAt = (index: number): TitlePlaces => {
    const title = titles[index];
    const places = found[index] ?? (title?.language === "en" ? placesIn(title) : nowhere);
    found[index] = places;
    return places;
  };
  return (some, other) => {
    const [a, b] = [placesAt(some), placesAt(other)];
    if (a.countries.size === 0 || b.countries.size === 0) return false;
    if (!areDisjoint(a.names, b.names)) return false;
    const [first, second] = [weighed[some], weighed[other]];
    if (first === undefined || second === undefined) return false;
    if (areDisjoint(a.countries, b.countries)) return pairFeatures(first, second).shared >= SAME_WORDS;
    return (areApart(a.towns, b.towns) || areApart(a.states, b.states)) && differInNamesOnly(first, second);
  };
}

const areApart = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  some.size > 0 && others.size > 0 && areDisjoint(some, others);

const areDisjoint = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...some].every((item) => !others.has(item));

function placesIn({ title, publisher }: ComparedTitle): TitlePlaces {
  const words = wordsOf(bareTitle(title, publisher), WORDS_MAX);
  const mentions = countryMentionsIn(words, "en");
  const isQuake = words.some(({ folded }) => quakes.has(folded));
  const [countries, states, towns] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let end = -1;
  for (const mention of mentions) {
    const text = textOf(words, mention);
    // "Houston, Texas"
    const isContinued = mention.start === end && words[end]?.before.startsWith(",");
    if (!isPlace(words, mention, text) || !(isContinued || isLocated(words, mention, isQuake))) continue;
    end = mention.end;
    for (const code of mention.codes) countries.add(stateOf.get(code) ?? code);
    if (mention.kind === "state") states.add(text);
    if (mention.kind === "place" && !territories.has(text)) towns.add(text);
  }
  return { countries, states, towns, names: namesIn(words, mentions) };
}

const textOf = (words: readonly Word[], { start, end }: CountryMention): string =>
  words
    .slice(start, end)
    .map(({ folded }) => folded)
    .join("-");

/** Tests for a place; "Italian", "Italy's" and "Azerbaijan Airlines" say whose, not where. */
function isPlace(words: readonly Word[], { end }: CountryMention, text: string): boolean {
  const next = words[end];
  const isPossessive = next?.folded === "s" && /^['’]$/.test(next.before);
  return !isPeople(text.replaceAll("-", " ")) && !isPossessive && !next?.before.startsWith("-");
}

/** Tests for a place after a preposition, in a dateline ("Chile: wildfires spread") or as the object of an earthquake. */
function isLocated(words: readonly Word[], { start, end }: CountryMention, isQuake: boolean): boolean {
  if (start === 0) return /^\s?[:–—]/.test(words[end]?.before ?? "");
  let at = start - 1;
  while (at > 0 && at > start - 1 - BETWEEN_MAX && between.has(words[at]?.folded ?? "")) at -= 1;
  const word = words[at]?.folded ?? "";
  return prepositions.has(word) || (isQuake && quakeVerbs.has(word));
}

/**
 * Finds the capitalised words that are no places. In a title in title case, each capitalised word counts, because it may
 * be a name.
 */
function namesIn(words: readonly Word[], mentions: readonly CountryMention[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [at, { written, folded }] of words.entries()) {
    if (mentions.some(({ start, end }) => start <= at && at < end)) continue;
    const initial = written.charAt(0);
    const isCapital = initial !== initial.toLowerCase();
    if (isCapital && !(isFirst(words, at) && firstWords.has(folded))) names.add(folded);
  }
  return names;
}

const isFirst = (words: readonly Word[], at: number): boolean =>
  at === 0 || /[:;!?–—"“”«»]|\s-\s/u.test(words[at]?.before ?? "");

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
