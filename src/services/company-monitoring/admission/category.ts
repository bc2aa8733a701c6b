import type { PhraseTable } from "../../../kit/phrases.js";
import { type Word, wordsOf } from "../../../kit/words.js";
import { type EventCategory, type EventClass, type EventDirection, nothing } from "./event-class.js";
import {
  beginningsOfNothing,
  type EventSign,
  eventPairs,
  eventPhrases,
  openings,
  phrasesOfNothing,
  reversals,
} from "./event-phrases.js";
import { classOfFiling, isFilingTitle } from "./filing-items.js";

/** A title, and the items of a filing. */
export interface ClassedTitle {
  readonly title: string;
  readonly filingItems?: readonly string[];
}

/** Longer titles are truncated to this length. */
const WORDS_MAX = 60;
/** Weight of a strong and of a plain phrase. An event needs one strong phrase or two plain ones. */
const [STRONG, PAIR, PLAIN, EVENT_MIN] = [3, 2.4, 1, 0.7];
/** Words in which the second phrase of a pair may follow the first. */
const PAIR_WORDS = 6;
/** Part of the weight of further signs of a category. */
const OTHERS = 0.5;
/**
 * Share of a weight that is subtracted for each word before a phrase, because the main event comes first in a title.
 */
const LATER = 0.02;
/** Weight of a phrase that indicates that nothing material happened. */
const NOTHING = 4;
/** Newsroom labels before a title. */
const LABEL = /^(?:update \d+|wrapup \d+|brief|refile|exclusive|breaking|just in|corrected)\s*[-–:]\s*/i;

/**
 * The class of a title: what happened to the company that it names first, and whether that is good for it. A pure
 * function of the title and the tables.
 */
export function classOfTitle({ title, filingItems }: ClassedTitle): EventClass {
  if (filingItems !== undefined || isFilingTitle(title)) return classOfFiling(title, filingItems ?? []);
  const words = wordsOf(title.replace(LABEL, ""), WORDS_MAX);
  if (beginningsOfNothing.longestAt(words, 0) !== undefined) return nothing;
  const signs = signsIn(words);
  const [best] = [...weigh(signs)].sort(([, a], [, b]) => b - a);
  if (best === undefined || best[1] < EVENT_MIN) return nothing;
  const [category, weight] = best;
  if (NOTHING * placesOf(phrasesOfNothing, words).length > weight) return nothing;
  const own = signs.filter((sign) => sign.category === category);
  return {
    category,
    direction: directionOf(words, category, own),
    strength: Math.min(3, weight / STRONG),
    signs: [...new Set(own.map(({ phrase }) => phrase))],
  };
}

interface PlacedSign extends EventSign {
  readonly at: number;
  readonly length: number;
  readonly weight: number;
}

/** The phrases of a title from left to right, then the pairs. At each place the longest counts, with every meaning. */
function signsIn(words: readonly Word[]): readonly PlacedSign[] {
  const signs: PlacedSign[] = [];
  for (let at = 0; at < words.length; ) {
    const found = eventPhrases.longestAt(words, at);
    if (found === undefined) {
      at += 1;
      continue;
    }
    for (const sign of found.values.flat()) {
      signs.push({ ...sign, at, length: found.length, weight: sign.isStrong ? STRONG : PLAIN });
    }
    at += found.length;
  }
  return [...signs, ...words.flatMap((_, at) => pairsAt(words, at))];
}

/** The pairs whose first phrase is at a place. */
function pairsAt(words: readonly Word[], at: number): readonly PlacedSign[] {
  const first = eventPairs.longestAt(words, at);
  if (first === undefined) return [];
  return first.values.flat().flatMap(({ sign, second }) => {
    const end = Math.min(words.length, at + first.length + PAIR_WORDS);
    for (let place = at + first.length; place < end; place += 1) {
      const found = second.longestAt(words, place);
      if (found === undefined) continue;
      const then = words.slice(place, place + found.length).map(({ folded }) => folded);
      const phrase = `${sign.phrase} … ${then.join(" ")}`;
      return [{ ...sign, phrase, at, length: 2, weight: PAIR }];
    }
    return [];
  });
}

/** The weight of each category in a title: the weight of its surest sign, and a share of the others. */
function weigh(signs: readonly PlacedSign[]): ReadonlyMap<EventCategory, number> {
  const weights = new Map<EventCategory, { surest: number; sum: number }>();
  for (const { category, weight, at, length } of signs) {
    // A longer phrase is surer.
    const placed = weight * (1 + (length - 1) * 0.15) * (1 - Math.min(at, 20) * LATER);
    const { surest = 0, sum = 0 } = weights.get(category) ?? {};
    weights.set(category, { surest: Math.max(surest, placed), sum: sum + placed });
  }
  return new Map([...weights].map(([category, { surest, sum }]) => [category, surest + OTHERS * (sum - surest)]));
}

/** The places of phrases of a table in a title. */
function placesOf(table: PhraseTable<true>, words: readonly Word[]): readonly { at: number; length: number }[] {
  return words.flatMap((_, at) => {
    const found = table.longestAt(words, at);
    return found === undefined ? [] : [{ at, length: found.length }];
  });
}

/** Categories whose usual event is bad, so that a reversal is good. In the other set, the usual event is good. */
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
/** Categories in which good and bad news in one title make it mixed. */
const isBalanced: ReadonlySet<EventCategory> = new Set(["results", "supply"]);

/** The direction of the surest phrases. The words around them can reverse it or leave it open. */
function directionOf(words: readonly Word[], category: EventCategory, signs: readonly PlacedSign[]): EventDirection {
  const isStrong = signs.some((sign) => sign.isStrong);
  const deciding = signs.filter((sign) => sign.isStrong === isStrong);
  const isOutside = ({ at, length }: { readonly at: number; readonly length: number }): boolean =>
    !deciding.some((sign) => at >= sign.at && at + length <= sign.at + sign.length);
  if (placesOf(openings, words).some(isOutside)) return "mixed";
  const weightOf = (wanted: EventDirection): number =>
    Math.max(
      0,
      ...deciding.filter(({ direction }) => direction === wanted).map(({ length, weight }) => weight * length),
    );
  const [positive, negative, mixed] = [weightOf("positive"), weightOf("negative"), weightOf("mixed")];
  if (positive > 0 && negative > 0 && isBalanced.has(category)) return "mixed";
  if (mixed > 0 && mixed >= Math.max(positive, negative)) return "mixed";
  if (positive > 0 && (positive > negative || (positive === negative && endsWell.has(category)))) {
    return endsBadly.has(category) && placesOf(reversals, words).some(isOutside) ? "negative" : "positive";
  }
  if (negative === 0) return "mixed";
  return endsWell.has(category) && placesOf(reversals, words).some(isOutside) ? "positive" : "negative";
}
