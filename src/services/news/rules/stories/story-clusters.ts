import { type PlacesDiffer, placesDiffer } from "./story-places.js";
import {
  type ComparedTitle,
  likeness,
  TOGETHER_MS,
  type WeighedTitle,
  WordFlag,
  weighTitles,
} from "./story-similarity.js";

/**
 * Minimum weight of a word that is looked up in the index to find titles to compare. Lighter words occur in too many
 * titles.
 */
const LEADING_WEIGHT = 0.25;
/** Maximum number of earlier titles that the index returns for one word. */
const LOOK_BACK = 24;
/**
 * Maximum number of earlier titles with which a title is compared in full. Those that share the most word weight are
 * chosen.
 */
const COMPARED_MAX = 24;
/** Two titles are compared only if their common words have at least this share of the lighter title's total weight. */
const COMPARED_SHARE = 0.12;
/** Two groups are considered for merging if a title of one and a title of the other have at least this similarity. */
const LINK = 0.5;
/**
 * Minimum mean similarity at which two groups of titles merge. This limit keeps chains of links from merging stories.
 */
const JOIN = 0.45;
/**
 * Replaces JOIN if both groups have at least two titles and each group has a name, such as a town, that the other group
 * lacks.
 */
const JOIN_APART = 0.8;
/** A name represents a group if at least this share of the group's titles contain the name. */
const STANDING_SHARE = 0.75;
/** Minimum weight of a name that represents a group. */
const STANDING_WEIGHT = 0.5;
/**
 * Two groups are not merged if this share of the compared pairs name different places. Otherwise a title without a
 * place could join two events.
 */
const ELSEWHERE_SHARE = 0.25;
/** Maximum number of titles of a group that are compared with titles of another group. */
const SAMPLE = 6;

/**
 * Returns a story number for each title. Stories are numbered from 0 in the order of their first titles. The result is
 * deterministic. An index over the rarer words selects a bounded number of titles to compare with each title, so the
 * cost grows linearly with the number of titles.
 */
export function clusterTitles(titles: readonly ComparedTitle[]): readonly number[] {
  const weighed = weighTitles(titles);
  const groups = weighed.map((_, index) => [index]);
  const groupOf = weighed.map((_, index) => index);
  const names = weighed.map(namesOf);
  const differ = placesDiffer(titles, weighed);
  for (const { earlier, later } of linksOf(weighed)) {
    const [left = 0, right = 0] = [groupOf[earlier], groupOf[later]];
    if (left === right || differ(earlier, later)) continue;
    const [kept, moved] = (groups[left]?.length ?? 0) >= (groups[right]?.length ?? 0) ? [left, right] : [right, left];
    const [into = [], from = []] = [groups[kept], groups[moved]];
    const [intoNames, fromNames] = [names[kept] ?? new Map(), names[moved] ?? new Map()];
    const least = isApart(intoNames, into.length, fromNames, from.length) ? JOIN_APART : JOIN;
    if (meanLikeness(weighed, differ, into, from) < least) continue;
    into.push(...from);
    for (const [id, count] of fromNames) intoNames.set(id, (intoNames.get(id) ?? 0) + count);
    for (const index of from) groupOf[index] = kept;
    groups[moved] = [];
  }
  const numbers = new Map<number, number>();
  return groupOf.map((group) => {
    const number = numbers.get(group) ?? numbers.size;
    numbers.set(group, number);
    return number;
  });
}

interface Link {
  readonly earlier: number;
  readonly later: number;
  readonly likeness: number;
}

/** Finds the pairs of sufficiently similar titles, most similar first. */
function linksOf(titles: readonly WeighedTitle[]): readonly Link[] {
  const inTime = titles.map((_, index) => index).sort((a, b) => at(titles, a) - at(titles, b) || a - b);
  const postings = new Map<number, number[]>();
  const sharedWeight = new Float64Array(titles.length);
  const links: Link[] = [];
  for (const index of inTime) {
    const title = titles[index];
    if (title === undefined) continue;
    for (const other of neighbours(title, titles, postings, sharedWeight)) {
      const otherTitle = titles[other];
      const alike = otherTitle === undefined ? 0 : likeness(title, otherTitle);
      if (alike >= LINK) links.push({ earlier: other, later: index, likeness: alike });
    }
    for (const id of title.ids) {
      const posting = postings.get(id);
      if (posting === undefined) postings.set(id, [index]);
      else posting.push(index);
    }
    for (const id of title.initials) {
      const posting = postings.get(id);
      if (posting === undefined) postings.set(id, [index]);
      else if (posting.at(-1) !== index) posting.push(index);
    }
  }
  return links.sort((a, b) => b.likeness - a.likeness || a.earlier - b.earlier || a.later - b.later);
}

const at = (titles: readonly WeighedTitle[], index: number): number => titles[index]?.publishedAt ?? 0;

/**
 * Finds the earlier titles that share the most word weight with a title. `sharedWeight` is a scratch array: it must be
 * all zeros, and is all zeros again afterwards.
 */
function neighbours(
  title: WeighedTitle,
  titles: readonly WeighedTitle[],
  postings: ReadonlyMap<number, readonly number[]>,
  sharedWeight: Float64Array,
): readonly number[] {
  const touched: number[] = [];
  const lead = (id: number, weight: number): void => {
    const posting = postings.get(id) ?? [];
    const last = Math.max(0, posting.length - LOOK_BACK);
    for (let place = posting.length - 1; place >= last; place -= 1) {
      const other = posting[place] ?? 0;
      if (title.publishedAt - at(titles, other) > TOGETHER_MS) break;
      if (sharedWeight[other] === 0) touched.push(other);
      sharedWeight[other] = (sharedWeight[other] ?? 0) + weight;
    }
  };
  for (const [place, id] of title.ids.entries()) {
    const weight = title.weights[place] ?? 0;
    if (weight >= LEADING_WEIGHT) lead(id, weight);
  }
  for (const id of title.initials) lead(id, LEADING_WEIGHT);
  const closest = touched
    .filter((other) => {
      return (sharedWeight[other] ?? 0) >= COMPARED_SHARE * Math.min(title.total, titles[other]?.total ?? 0);
    })
    .sort((a, b) => (sharedWeight[b] ?? 0) - (sharedWeight[a] ?? 0) || b - a)
    .slice(0, COMPARED_MAX);
  for (const other of touched) sharedWeight[other] = 0;
  return closest;
}

/** Returns the mean similarity between the titles of two groups; 0 if too many of them name different places. */
function meanLikeness(
  titles: readonly WeighedTitle[],
  differ: PlacesDiffer,
  some: readonly number[],
  others: readonly number[],
): number {
  const [left, right] = [sampleOf(some), sampleOf(others)];
  const pairCount = left.length * right.length;
  let [sum, elsewhereCount] = [0, 0];
  for (const leftIndex of left) {
    for (const rightIndex of right) {
      const [leftTitle, rightTitle] = [titles[leftIndex], titles[rightIndex]];
      if (leftTitle === undefined || rightTitle === undefined) continue;
      const alike = likeness(leftTitle, rightTitle);
      if (alike >= LINK && differ(leftIndex, rightIndex)) elsewhereCount += 1;
      else sum += alike;
    }
  }
  return elsewhereCount >= ELSEWHERE_SHARE * pairCount && elsewhereCount > 0 ? 0 : sum / pairCount;
}

/** Returns at most SAMPLE titles of a group, evenly spread over it. */
function sampleOf(group: readonly number[]): readonly number[] {
  if (group.length <= SAMPLE) return group;
  return Array.from({ length: SAMPLE }, (_, place) => group[Math.floor((place * group.length) / SAMPLE)] ?? 0);
}

/** Returns the rarer names of a title, each with the count 1. These are the counts of a group with only this title. */
function namesOf({ ids, weights, flags }: WeighedTitle): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [place, id] of ids.entries()) {
    const isName = ((flags[place] ?? 0) & WordFlag.name) !== 0;
    if (isName && (weights[place] ?? 0) >= STANDING_WEIGHT) counts.set(id, 1);
  }
  return counts;
}

type NameCounts = ReadonlyMap<number, number>;

function isApart(some: NameCounts, someSize: number, others: NameCounts, otherSize: number): boolean {
  return someSize > 1 && otherSize > 1 && hasOwnName(some, someSize, others) && hasOwnName(others, otherSize, some);
}

function hasOwnName(names: NameCounts, size: number, others: NameCounts): boolean {
  for (const [id, count] of names) if (count >= STANDING_SHARE * size && !others.has(id)) return true;
  return false;
}
