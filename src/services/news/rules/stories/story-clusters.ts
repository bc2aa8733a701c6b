import {
  type ComparedTitle,
  likeness,
  TOGETHER_MS,
  type WeighedTitle,
  WordFlag,
  weighTitles,
} from "./story-similarity.js";

/** Words below this weight are in too many titles to lead from one to another. */
const LEADING_WEIGHT = 0.25;
/** How far back a word leads: so many titles that have it. */
const LOOK_BACK = 24;
/** How many of the titles that share the most words are compared in full. */
const COMPARED_MAX = 24;
/** Share of the words that the shorter title must share to be compared at all. */
const COMPARED_SHARE = 0.12;
/** From which likeness on two titles may begin or join a story. */
const LINK = 0.5;
/** What two groups of titles must reach on average, so that stories do not grow together link by link. */
const JOIN = 0.45;
/** The same for groups of at least two that each have a name which the other never mentions: two towns, two teams. */
const JOIN_APART = 0.8;
/** A name stands for a group that so many of its titles have. */
const STANDING_SHARE = 0.75;
const STANDING_WEIGHT = 0.5;
/** How many titles of a group are compared with those of another. */
const SAMPLE = 6;

/**
 * The number of its story for each title, counted from 0 in the order of first appearance. Titles are compared where an
 * index over their rarer words brings them together, each with a bounded number of others: the cost grows with the
 * batch, not with its square. The same for the same batch.
 */
export function clusterTitles(titles: readonly ComparedTitle[]): readonly number[] {
  const weighed = weighTitles(titles);
  const groups = weighed.map((_, index) => [index]);
  const groupOf = weighed.map((_, index) => index);
  const names = weighed.map(namesOf);
  for (const { one, other } of linksOf(weighed)) {
    const [left = 0, right = 0] = [groupOf[one], groupOf[other]];
    if (left === right) continue;
    const [kept, moved] = (groups[left]?.length ?? 0) >= (groups[right]?.length ?? 0) ? [left, right] : [right, left];
    const [into = [], from = []] = [groups[kept], groups[moved]];
    const [intoNames, fromNames] = [names[kept] ?? new Map(), names[moved] ?? new Map()];
    const least = isApart(intoNames, into.length, fromNames, from.length) ? JOIN_APART : JOIN;
    if (meanLikeness(weighed, into, from) < least) continue;
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
  readonly one: number;
  readonly other: number;
  readonly likeness: number;
}

/** Pairs that are alike enough, the most alike first. */
function linksOf(titles: readonly WeighedTitle[]): readonly Link[] {
  const inTime = titles
    .map((_, index) => index)
    .sort((one, other) => at(titles, one) - at(titles, other) || one - other);
  const postings = new Map<number, number[]>();
  const sharedWeight = new Float64Array(titles.length);
  const links: Link[] = [];
  for (const index of inTime) {
    const title = titles[index];
    if (title === undefined) continue;
    for (const other of neighbours(title, titles, postings, sharedWeight)) {
      const otherTitle = titles[other];
      const alike = otherTitle === undefined ? 0 : likeness(title, otherTitle);
      if (alike >= LINK) links.push({ one: other, other: index, likeness: alike });
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
  return links.sort((a, b) => b.likeness - a.likeness || a.one - b.one || a.other - b.other);
}

const at = (titles: readonly WeighedTitle[], index: number): number => titles[index]?.publishedAt ?? 0;

/** Earlier titles that share the most weight of words with a title; leaves the scratch array as it was: all zeros. */
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
  const found = touched
    .filter((other) => {
      return (sharedWeight[other] ?? 0) >= COMPARED_SHARE * Math.min(title.total, titles[other]?.total ?? 0);
    })
    .sort((one, other) => (sharedWeight[other] ?? 0) - (sharedWeight[one] ?? 0) || other - one)
    .slice(0, COMPARED_MAX);
  for (const other of touched) sharedWeight[other] = 0;
  return found;
}

function meanLikeness(titles: readonly WeighedTitle[], some: readonly number[], others: readonly number[]): number {
  const [left, right] = [sampleOf(some), sampleOf(others)];
  let sum = 0;
  for (const one of left) {
    for (const other of right) {
      const [oneTitle, otherTitle] = [titles[one], titles[other]];
      if (oneTitle !== undefined && otherTitle !== undefined) sum += likeness(oneTitle, otherTitle);
    }
  }
  return sum / (left.length * right.length);
}

/** At most so many of a group, evenly spread over it. */
function sampleOf(group: readonly number[]): readonly number[] {
  if (group.length <= SAMPLE) return group;
  return Array.from({ length: SAMPLE }, (_, place) => group[Math.floor((place * group.length) / SAMPLE)] ?? 0);
}

/** The rarer names of a title, each counted once. */
function namesOf({ ids, weights, flags }: WeighedTitle): Map<number, number> {
  const found = new Map<number, number>();
  for (const [place, id] of ids.entries()) {
    const isName = ((flags[place] ?? 0) & WordFlag.name) !== 0;
    if (isName && (weights[place] ?? 0) >= STANDING_WEIGHT) found.set(id, 1);
  }
  return found;
}

type NameCounts = ReadonlyMap<number, number>;

function isApart(some: NameCounts, someSize: number, others: NameCounts, otherSize: number): boolean {
  return someSize > 1 && otherSize > 1 && hasOwnName(some, someSize, others) && hasOwnName(others, otherSize, some);
}

function hasOwnName(names: NameCounts, size: number, others: NameCounts): boolean {
  for (const [id, count] of names) if (count >= STANDING_SHARE * size && !others.has(id)) return true;
  return false;
}
