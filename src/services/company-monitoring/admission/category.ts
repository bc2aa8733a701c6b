import { type EventCategory, type EventClass, type EventDirection, nothing } from "./event-class.js";
import {
  denials,
  type EventFrame,
  endsOfBad,
  endsOfGood,
  framesBeginningWith,
  openings,
  type Place,
  placesIn,
  warnings,
} from "./event-frames.js";
import { classOfFiling, isFilingTitle } from "./filing-items.js";
import { type TitleWord, titleWordsOf } from "./title-words.js";

/** A title and, if it is a filing's title, the items of the filing. */
export interface ClassedTitle {
  readonly title: string;
  readonly filingItems?: readonly string[];
}

/** Maximum number of words between two parts of a frame. A frame is a pattern of phrases, see `EventFrame`. */
const GAP_WORDS = 6;
/**
 * Shares of a frame's weight. `LONGER` is added for each word of the frame after the first. `GAP` is subtracted for
 * each word between the parts of the frame.
 */
const [LONGER, GAP] = [0.12, 0.04];
/**
 * Share of a frame's weight that is subtracted for each clause that ends between the parts of the frame. At most two
 * clauses count.
 */
const CLAUSE_END = 0.25;
/**
 * A title states the main event first. Therefore this share of a frame's weight is subtracted for each word before the
 * frame. At most 20 words count.
 */
const LATER = 0.02;
/** Share of a frame's weight that counts in a subordinate clause, such as one that begins with "after" or "amid". */
const SUBORDINATE = 0.5;
/**
 * Share of a sign's weight that counts for its category, if the sign is not the category's strongest one. A sign is a
 * frame found in a title.
 */
const OTHERS = 0.25;
/** The weight of one strong frame, which is the unit for the strength of a class. */
const STRONG = 3;
/** An event needs at least this weight. A single weak frame of up to three words does not reach it. */
const EVENT_MIN = 1.3;

/**
 * Determines the class of a title: the main event that it reports, and whether this event is good for the company.
 * The class of a filing follows from its items or its form instead. The result depends only on the argument and on the
 * data files.
 */
export function classOfTitle({ title, filingItems }: ClassedTitle): EventClass {
  if (filingItems !== undefined || isFilingTitle(title)) return classOfFiling(title, filingItems ?? []);
  const words = titleWordsOf(title);
  const places = placesIn(words);
  const signs = signsIn(words, places);
  const [best] = [...weigh(signs)].sort(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < EVENT_MIN) return nothing;
  const [category, weight] = best;
  if (category === "none") return nothing;
  const own = signs.filter((sign) => sign.frame.category === category);
  return {
    category,
    direction: directionOf(category, own, words, places),
    strength: Math.min(3, weight / STRONG),
    signs: [...new Set(own.map(({ text }) => text))],
  };
}

/** A frame found in a title. */
interface Sign {
  readonly frame: EventFrame;
  readonly places: readonly Place[];
  readonly weight: number;
  readonly text: string;
}

function signsIn(words: readonly TitleWord[], places: ReadonlyMap<number, readonly Place[]>): readonly Sign[] {
  return [...places.keys()].flatMap(framesBeginningWith).flatMap((frame) => {
    const placements = placesOf(frame, places);
    const weighed = placements.map((some) => ({ some, weight: weightOf(frame, some, words) }));
    const best = weighed.sort((a, b) => b.weight - a.weight)[0];
    if (best === undefined) return [];
    const text = best.some
      .map(({ at, end }) =>
        words
          .slice(at, end)
          .map(({ folded }) => folded)
          .join(" "),
      )
      .join(" … ");
    return [{ frame, places: best.some, weight: best.weight, text }];
  });
}

/** Returns every way in which the phrases of a title fill the parts of a frame. */
function placesOf(frame: EventFrame, places: ReadonlyMap<number, readonly Place[]>): readonly (readonly Place[])[] {
  const [first = 0, ...others] = frame.parts;
  let ways: readonly (readonly Place[])[] = (places.get(first) ?? []).map((place) => [place]);
  for (const part of others) {
    const next = places.get(part) ?? [];
    ways = ways.flatMap((way) =>
      next.filter((place) => fits(way, place, frame.isOrdered)).map((place) => [...way, place]),
    );
  }
  return ways;
}

function fits(way: readonly Place[], next: Place, isOrdered: boolean): boolean {
  const last = way.at(-1);
  if (last === undefined) return true;
  if (next.at >= last.end) return next.at - last.end <= GAP_WORDS;
  return !isOrdered && way.every(({ at, end }) => next.end <= at || end <= next.at) && last.at - next.end <= GAP_WORDS;
}

function weightOf(frame: EventFrame, places: readonly Place[], words: readonly TitleWord[]): number {
  const at = Math.min(...places.map((place) => place.at));
  const end = Math.max(...places.map((place) => place.end));
  const length = places.reduce((sum, place) => sum + place.end - place.at, 0);
  const clause = words[at]?.isSubordinate ? SUBORDINATE : 1;
  const clauseEnds = words.slice(at + 1, end).filter(({ isNewClause }) => isNewClause).length;
  const fit = 1 + (length - 1) * LONGER - (end - at - length) * GAP - Math.min(2, clauseEnds) * CLAUSE_END;
  return frame.weight * fit * clause * (1 - Math.min(at, 20) * LATER);
}

/**
 * Returns the weight of each category in a title: the weight of the category's strongest sign, plus a share of the
 * weights of its other signs. The other signs add at most the weight of the strongest sign.
 */
function weigh(signs: readonly Sign[]): ReadonlyMap<EventCategory | "none", number> {
  const weights = new Map<EventCategory | "none", { surest: number; sum: number }>();
  for (const { frame, weight } of signs) {
    const { surest = 0, sum = 0 } = weights.get(frame.category) ?? {};
    weights.set(frame.category, { surest: Math.max(surest, weight), sum: sum + weight });
  }
  return new Map(
    [...weights].map(([category, { surest, sum }]) => [category, surest + Math.min(surest, OTHERS * (sum - surest))]),
  );
}

/**
 * Categories whose usual event is bad, so the end of such an event is good. In the categories of `endsBadly`, the usual
 * event is good, so its end is bad.
 */
const endsWell: ReadonlySet<EventCategory> = new Set([
  "bankruptcy",
  "delisting",
  "labour",
  "legal",
  "recall",
  "regulatory",
  "sanctions",
]);
const endsBadly: ReadonlySet<EventCategory> = new Set(["contract", "financing", "ownership", "product", "supply"]);
/** Categories in which good and bad news in one title make the direction mixed. */
const isBalanced: ReadonlySet<EventCategory> = new Set(["results", "supply"]);

/**
 * Maximum distance, in words, between an event and a word that reverses its direction or makes it mixed. A denial
 * counts at any distance.
 */
const NEAR_WORDS = 4;

/**
 * Returns the direction of the strongest frames. Words near these frames can reverse the direction, or make it mixed. A
 * denial anywhere in the title makes it mixed.
 */
function directionOf(
  category: EventCategory,
  signs: readonly Sign[],
  words: readonly TitleWord[],
  places: ReadonlyMap<number, readonly Place[]>,
): EventDirection {
  const surest = Math.max(...signs.map(({ weight }) => weight));
  const deciding = signs.filter(({ weight }) => weight > surest * 0.8).flatMap((sign) => sign.places);
  const has = (part: number): boolean =>
    (places.get(part) ?? []).some(
      ({ at, end }) =>
        !words[at]?.isSubordinate &&
        !deciding.some((place) => at >= place.at && end <= place.end) &&
        deciding.some((place) => at - place.end <= NEAR_WORDS && place.at - end <= NEAR_WORDS),
    );
  if ((has(openings) && !has(warnings)) || places.has(denials)) return "mixed";
  const weightFor = (direction: EventDirection): number =>
    Math.max(0, ...signs.filter(({ frame }) => frame.direction === direction).map(({ weight }) => weight));
  const [positive, negative, mixed] = [weightFor("positive"), weightFor("negative"), weightFor("mixed")];
  if (isBalanced.has(category) && Math.min(positive, negative) > Math.max(positive, negative) * 0.6) return "mixed";
  if (mixed > 0 && mixed >= Math.max(positive, negative)) return "mixed";
  if (positive > negative) return endsBadly.has(category) && has(endsOfGood) ? "negative" : "positive";
  return endsWell.has(category) && has(endsOfBad) ? "positive" : "negative";
}
