import { visitSteps } from "../../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../../kit/loop-turns.js";
import { normalName } from "../../../kit/normal-name.js";
import type { ListedEntity } from "../records.js";
import { spokenName } from "./spoken-name.js";

/**
 * Maximum number of words read from a query. It limits the work, because the search visits every name that one of these
 * words matches.
 */
const QUERY_WORDS_MAX = 12;
/** A word of the query with at least this length also matches the longer words that start with it. */
const PREFIX_CHARACTERS_MIN = 3;

const EXACT = 100;
const BEGINNING = 80;
const EVERY_WORD = 60;
const POSITION_OFF_MAX = 20;
const EACH_WORD = 10;

export interface NameMatch {
  readonly entity: ListedEntity;
  readonly score: number;
  /** The best matching name or alias, as written in the list. */
  readonly matchedName: string;
}

export interface NameIndex {
  /**
   * Returns the best matches and the number of all matches. Each of the at most `QUERY_WORDS_MAX` words of the query is
   * compared with the indexed words that have the same beginning, and visits each name that it matches once. So a
   * search visits a name at most `QUERY_WORDS_MAX` times, even if its words begin most names of the lists.
   */
  search(query: string, most: number): { readonly matches: readonly NameMatch[]; readonly total: number };
}

interface IndexedName {
  readonly entity: ListedEntity;
  readonly written: string;
  readonly normal: string;
}

/** Builds an index of all names and aliases by their words, in steps. */
export function* nameIndexSteps(entities: readonly ListedEntity[], pace: ClockPace): Steps<NameIndex> {
  const names: IndexedName[] = [];
  const namesByWord = new Map<string, number[]>();
  const add = (entity: ListedEntity, written: string, spelled: string): void => {
    const normal = normalName(spelled);
    const index = names.push({ entity, written, normal }) - 1;
    for (const word of new Set(normal.split(" "))) {
      const indexes = namesByWord.get(word);
      if (indexes) indexes.push(index);
      else namesByWord.set(word, [index]);
    }
  };
  yield* visitSteps(entities, pace, (entity) => {
    for (const written of [entity.name, ...(entity.aliases ?? [])]) {
      add(entity, written, written);
      const spoken = entity.type === "individual" ? spokenName(written) : undefined;
      if (spoken !== undefined) add(entity, written, spoken);
    }
  });
  const wordsByBeginning = new Map<string, string[]>();
  yield* visitSteps(namesByWord.keys(), pace, (word) => {
    const beginning = word.slice(0, PREFIX_CHARACTERS_MIN);
    const words = wordsByBeginning.get(beginning);
    if (words) words.push(word);
    else wordsByBeginning.set(beginning, [word]);
  });

  /** Finds the names with this word, or with a longer word that starts with it. */
  function namesWith(word: string): ReadonlySet<number> {
    const beginning = word.slice(0, PREFIX_CHARACTERS_MIN);
    const words = word.length < PREFIX_CHARACTERS_MIN ? [word] : (wordsByBeginning.get(beginning) ?? []);
    const indexes = new Set<number>();
    for (const other of words) {
      if (!other.startsWith(word)) continue;
      for (const index of namesByWord.get(other) ?? []) indexes.add(index);
    }
    return indexes;
  }

  function search(query: string, most: number) {
    const normal = normalName(query);
    const words = [...new Set(normal.split(" "))].filter((word) => word !== "").slice(0, QUERY_WORDS_MAX);
    const wordsMatched = new Map<number, number>();
    for (const word of words) {
      for (const index of namesWith(word)) wordsMatched.set(index, (wordsMatched.get(index) ?? 0) + 1);
    }
    const best = new Map<string, NameMatch>();
    for (const [index, matched] of wordsMatched) {
      const name = names[index];
      if (!name) continue;
      const score = scoreOf(name.normal, { normal, words, matched });
      if (score > (best.get(name.entity.id)?.score ?? 0)) {
        best.set(name.entity.id, { entity: name.entity, score, matchedName: name.written });
      }
    }
    return { matches: topOf(best.values(), most), total: best.size };
  }
  return { search };
}

interface Matched {
  readonly normal: string;
  readonly words: readonly string[];
  /** Number of words of the query that match the name. */
  readonly matched: number;
}

function scoreOf(name: string, { normal, words, matched }: Matched): number {
  if (name === normal) return EXACT;
  if (name.startsWith(normal)) return BEGINNING;
  if (matched < words.length) return Math.min(matched * EACH_WORD, EVERY_WORD - POSITION_OFF_MAX);
  const position = Math.min(...words.map((word) => name.indexOf(word)).filter((at) => at >= 0));
  return EVERY_WORD - Math.min(position, POSITION_OFF_MAX);
}

const compare = (a: NameMatch, b: NameMatch): number =>
  b.score - a.score || a.entity.name.length - b.entity.name.length || a.entity.id.localeCompare(b.entity.id);

/** Returns the best matches, at most `most`, best first. Does not sort all matches. */
function topOf(matches: Iterable<NameMatch>, most: number): readonly NameMatch[] {
  const top: NameMatch[] = [];
  for (const match of matches) {
    const last = top.at(-1);
    if (top.length >= most && last && compare(match, last) >= 0) continue;
    const at = top.findIndex((other) => compare(match, other) < 0);
    top.splice(at === -1 ? top.length : at, 0, match);
    if (top.length > most) top.pop();
  }
  return top;
}
