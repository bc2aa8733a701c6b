import { type TitleWord, titleReader } from "./story-title.js";

/** A title with the facts that a comparison needs. */
export interface ComparedTitle {
  readonly title: string;
  /** ISO 639-1. Titles in different languages never belong to one story. */
  readonly language: string;
  readonly publisher: string;
  /** Epoch ms. */
  readonly publishedAt: number;
}

/** A title as numbers: its word ids in ascending order, each with a weight. */
export interface WeighedTitle {
  readonly language: string;
  readonly publisher: string;
  readonly publishedAt: number;
  readonly ids: readonly number[];
  readonly weights: readonly number[];
  /** Bits of `WordFlag`. */
  readonly flags: readonly number[];
  readonly total: number;
  readonly nameTotal: number;
  readonly numberCount: number;
  readonly decimalCount: number;
  /** Ids of initials ("European Central Bank" yields ECB). They match only abbreviations. */
  readonly initials: readonly number[];
  readonly isUnspaced: boolean;
}

/**
 * Rarity weights assume at least this many titles in a language. Otherwise, in a small batch, a word that several
 * titles share would be regarded as common.
 */
const LANGUAGE_MIN = 150;

export const WordFlag = { name: 1, number: 2, decimal: 4, abbreviation: 8 } as const;

/** Weights of short words that are not names, by number of letters. */
const lettersWeight = [0, 0.2, 0.4, 0.7];
const [NAME_WEIGHT, NUMBER_WEIGHT, DIGIT_WEIGHT, DECIMAL_WEIGHT, CHARACTERS_WEIGHT] = [1.5, 0.8, 0.4, 1.2, 0.6];

/** Languages that capitalise all nouns, so a capital does not indicate a name. */
const capitalisedNouns: ReadonlySet<string> = new Set(["de", "lb"]);

/**
 * Weighs the words of a batch of titles. The weight is the rarity of the word, from about 0 (in every title of the
 * language) to 1 (in a single title), times a factor for its kind. Learns from the batch which words are names. The
 * cost is linear in the size of the batch.
 */
export function weighTitles(titles: readonly ComparedTitle[]): readonly WeighedTitle[] {
  const [frequency, capitals]: [number[], number[]] = [[], []];
  const perLanguage = new Map<string, LanguageBatch>();
  let idCount = 0;
  const idOf = (ids: Map<string, number>, key: string): number => {
    const existingId = ids.get(key);
    if (existingId !== undefined) return existingId;
    frequency.push(0);
    capitals.push(0);
    ids.set(key, idCount);
    idCount += 1;
    return idCount - 1;
  };

  const read = titles.map(({ title, language, publisher }) => {
    const batch = perLanguage.get(language) ?? { titleCount: 0, ids: new Map(), read: titleReader(language) };
    perLanguage.set(language, batch);
    batch.titleCount += 1;
    const words = new Map<number, TitleWord>();
    const initials: number[] = [];
    const all = batch.read(title, publisher);
    const inSentence = all.filter(({ kind, isFirst, letters }) => kind === "word" && !isFirst && letters > 3);
    const isTitleCase = inSentence.length > 2 && inSentence.every(({ isCapital }) => isCapital);
    for (const word of all) {
      const id = idOf(batch.ids, word.key);
      if (word.kind === "initials") {
        initials.push(id);
        continue;
      }
      if (!word.isFirst && !isTitleCase) capitals[id] = (capitals[id] ?? 0) + (word.isCapital ? 1 : -1);
      if (words.has(id)) continue;
      words.set(id, word);
      frequency[id] = (frequency[id] ?? 0) + 1;
    }
    return { words, initials };
  });

  return titles.map(({ language, publisher, publishedAt }, index) => {
    const { words = new Map<number, TitleWord>(), initials = [] } = read[index] ?? {};
    const greatest = Math.log(Math.max(LANGUAGE_MIN, perLanguage.get(language)?.titleCount ?? 0) + 1);
    const ids = [...words.keys()].sort((a, b) => a - b);
    const [flags, weights]: [number[], number[]] = [[], []];
    let [total, nameTotal, numberCount, decimalCount, isUnspaced] = [0, 0, 0, 0, false];
    for (const id of ids) {
      const word = words.get(id);
      if (word === undefined) continue;
      const flag = flagsOf(word, language, capitals[id] ?? 0);
      const weight = (1 - Math.log(frequency[id] ?? 1) / greatest) * kindWeight(word, flag);
      flags.push(flag);
      weights.push(weight);
      total += weight;
      if ((flag & WordFlag.name) !== 0) nameTotal += weight;
      if ((flag & WordFlag.number) !== 0) numberCount += 1;
      if ((flag & WordFlag.decimal) !== 0) decimalCount += 1;
      if (word.kind === "characters") isUnspaced = true;
    }
    // The object is written as one literal, because objects made by spreading are slow to read, and these are read
    // millions of times.
    return {
      language,
      publisher,
      publishedAt,
      ids,
      flags,
      weights,
      total,
      nameTotal,
      numberCount,
      decimalCount,
      initials,
      isUnspaced,
    };
  });
}

interface LanguageBatch {
  titleCount: number;
  /** Word ids by key. Each language has its own ids. */
  readonly ids: Map<string, number>;
  readonly read: ReturnType<typeof titleReader>;
}

function flagsOf(word: TitleWord, language: string, capitals: number): number {
  if (word.kind === "decimal") return WordFlag.decimal | WordFlag.number;
  if (word.kind === "number") return WordFlag.number;
  // A short first word ("A", "The") is a name only if other titles mostly capitalise it inside a sentence.
  const isLikely = word.isFirst && word.letters <= 3 && !word.isAbbreviation ? capitals > 0 : capitals >= 0;
  const isName = word.isCapital && isLikely && !capitalisedNouns.has(language);
  return (isName ? WordFlag.name : 0) | (word.isAbbreviation ? WordFlag.abbreviation : 0);
}

function kindWeight({ kind, letters, key }: TitleWord, flags: number): number {
  if (kind === "number") return key.length > 1 ? NUMBER_WEIGHT : DIGIT_WEIGHT;
  if (kind === "decimal") return DECIMAL_WEIGHT;
  if (kind === "characters") return CHARACTERS_WEIGHT;
  if ((flags & WordFlag.name) !== 0) return NAME_WEIGHT;
  return lettersWeight[letters] ?? 1;
}

/** Features that show whether two titles belong to one story. Most are between 0 and 1, and none is above 2. */
export interface PairFeatures {
  /** Weight of the shared words, divided by the weight of all distinct words. */
  readonly shared: number;
  /** Weight of the shared names, divided by the smaller of the two titles' total name weights. */
  readonly names: number;
  /** 1 minus `names`; 0 if one of the titles has no names. */
  readonly otherNames: number;
  /** Weight of the words that only the lighter title has, divided by the total weight of the heavier title. */
  readonly otherWords: number;
  /** Weight of the heaviest shared number. */
  readonly sameNumber: number;
  /** Both titles have numbers but share none. */
  readonly otherNumbers: number;
  /** Both titles have decimals but share none. */
  readonly otherDecimals: number;
  /** Weight of the heaviest shared word. */
  readonly rarest: number;
  /** Weight of the shared words divided by three, at most 1. It is low for short titles, which are weak evidence. */
  readonly evidence: number;
  /** Days between the publications of the titles. */
  readonly apart: number;
  /** `apart` times `shared`. The same words on another day often belong to another story. */
  readonly alikeApart: number;
  /** `otherNames` times `shared`. The same words about another person are often a recurring headline. */
  readonly alikeNames: number;
  /** `otherNumbers` times `shared`. */
  readonly alikeNumbers: number;
  readonly samePublisher: number;
  /** Both titles have words in a script without spaces between words. */
  readonly unspaced: number;
}

const DAY_MS = 24 * 3_600_000;
/** Maximum time between two titles that are compared. A later title is another story or a new development. */
export const TOGETHER_MS = 2 * DAY_MS;

export function pairFeatures(a: WeighedTitle, b: WeighedTitle): PairFeatures {
  let shared = 0;
  let sharedNames = 0;
  let rarest = 0;
  let sharedNumbers = 0;
  let sharedDecimals = 0;
  let left = 0;
  let right = 0;
  while (left < a.ids.length && right < b.ids.length) {
    const leftId = a.ids[left] ?? 0;
    const rightId = b.ids[right] ?? 0;
    if (leftId < rightId) left += 1;
    else if (leftId > rightId) right += 1;
    else {
      const weight = Math.min(a.weights[left] ?? 0, b.weights[right] ?? 0);
      const flags = (a.flags[left] ?? 0) | (b.flags[right] ?? 0);
      shared += weight;
      rarest = Math.max(rarest, weight);
      if ((flags & WordFlag.name) !== 0) sharedNames += weight;
      if ((flags & WordFlag.number) !== 0) sharedNumbers = Math.max(sharedNumbers, weight);
      if ((flags & WordFlag.decimal) !== 0) sharedDecimals += 1;
      left += 1;
      right += 1;
    }
  }
  if (a.initials.length > 0 || b.initials.length > 0) {
    for (const weight of [readAsInitials(a, b), readAsInitials(b, a)]) {
      shared += weight;
      sharedNames += weight;
      rarest = Math.max(rarest, weight);
    }
  }
  const least = Math.min(a.total, b.total);
  const most = Math.max(a.total, b.total);
  const union = Math.max(a.total + b.total - shared, 1e-9);
  const leastNames = Math.min(a.nameTotal, b.nameTotal);
  const otherNames = Math.max(0, leastNames - sharedNames);
  const alike = Math.min(1, shared / union);
  const apart = Math.abs(a.publishedAt - b.publishedAt) / DAY_MS;
  const unshared = otherNames / Math.max(otherNames + sharedNames, 1e-9);
  const otherNumbers = a.numberCount > 0 && b.numberCount > 0 && sharedNumbers === 0 ? 1 : 0;
  return {
    shared: alike,
    names: leastNames > 0 ? Math.min(1, sharedNames / leastNames) : 0,
    otherNames: unshared,
    otherWords: Math.max(0, least - shared) / Math.max(most, 1e-9),
    sameNumber: sharedNumbers,
    otherNumbers,
    otherDecimals: a.decimalCount > 0 && b.decimalCount > 0 && sharedDecimals === 0 ? 1 : 0,
    rarest,
    evidence: Math.min(1, shared / 3),
    apart,
    alikeApart: apart * alike,
    alikeNames: alike * unshared,
    alikeNumbers: alike * otherNumbers,
    samePublisher: a.publisher === b.publisher ? 1 : 0,
    unspaced: a.isUnspaced && b.isUnspaced ? 1 : 0,
  };
}

/** Returns the weight of an abbreviation in `short` whose words `full` writes out; 0 if there is none. */
function readAsInitials(full: WeighedTitle, short: WeighedTitle): number {
  for (const id of full.initials) {
    const place = short.ids.indexOf(id);
    if (place >= 0 && ((short.flags[place] ?? 0) & WordFlag.abbreviation) !== 0 && !full.ids.includes(id)) {
      return short.weights[place] ?? 0;
    }
  }
  return 0;
}

/**
 * Weights of the features in the log-odds that two titles belong to one story. They result from a logistic regression
 * over two sets of title pairs (docs/news.md). The first set has pairs from the labelled tuning stories, in one
 * language and at most 48 hours apart. The second set has pairs of recorded titles from different stories.
 */
export const pairWeights: Readonly<Record<keyof PairFeatures | "always", number>> = {
  always: -5.8,
  shared: 2.6,
  names: 1.1,
  otherNames: -1.1,
  otherWords: -0.9,
  sameNumber: 4.8,
  otherNumbers: 2.4,
  otherDecimals: -2.7,
  rarest: 2.3,
  evidence: 5.9,
  apart: -1.5,
  alikeApart: -5,
  alikeNames: -5.1,
  alikeNumbers: -4.3,
  samePublisher: -3.8,
  unspaced: 1.2,
};

/**
 * Returns the probability that two titles belong to one story; 0 if their languages differ or if they were published
 * more than 48 hours apart.
 */
export function likeness(a: WeighedTitle, b: WeighedTitle): number {
  if (a.language !== b.language || Math.abs(a.publishedAt - b.publishedAt) > TOGETHER_MS) return 0;
  return 1 / (1 + Math.exp(-oddsOf(pairFeatures(a, b))));
}

/**
 * Returns the weighted sum of the features: the log-odds. It is written out, because a loop over the object is slower.
 */
function oddsOf(features: PairFeatures): number {
  return (
    pairWeights.always +
    pairWeights.shared * features.shared +
    pairWeights.names * features.names +
    pairWeights.otherNames * features.otherNames +
    pairWeights.otherWords * features.otherWords +
    pairWeights.sameNumber * features.sameNumber +
    pairWeights.otherNumbers * features.otherNumbers +
    pairWeights.otherDecimals * features.otherDecimals +
    pairWeights.rarest * features.rarest +
    pairWeights.evidence * features.evidence +
    pairWeights.apart * features.apart +
    pairWeights.alikeApart * features.alikeApart +
    pairWeights.alikeNames * features.alikeNames +
    pairWeights.alikeNumbers * features.alikeNumbers +
    pairWeights.samePublisher * features.samePublisher +
    pairWeights.unspaced * features.unspaced
  );
}
