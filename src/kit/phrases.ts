import type { Word } from "./words.js";

/** The placeholder in a phrase for one word that begins with a digit. */
export const NUMBER_TERM = "#";

interface Node<Value> {
  /** Child nodes by folded word. Most nodes have none; undefined instead of an empty map saves memory. */
  exact: Map<string, Node<Value>> | undefined;
  /** Child nodes by the beginning of a word ("evacuat*"). */
  beginnings: Map<string, Node<Value>> | undefined;
  number: Node<Value> | undefined;
  value: Value | undefined;
}

/** The longest phrases found, all of the same length. */
export interface PhrasesFound<Value> {
  /**
   * First the values of phrases that match whole words, then those of phrases that match beginnings of words (longer
   * beginnings first), then those of phrases that match a number with `NUMBER_TERM`.
   */
  readonly values: readonly Value[];
  readonly length: number;
}

/** A table of phrases, matched in one pass over the words of a text. */
export interface PhraseTable<Value> {
  /** The value that was set for exactly this phrase, so that the caller can replace or extend it. */
  get(phrase: readonly string[]): Value | undefined;
  set(phrase: readonly string[], value: Value): void;
  /** The longest phrases that begin at the word with the index `at` and pass `accepts`; undefined if there are none. */
  longestAt(
    words: readonly Word[],
    at: number,
    accepts?: (value: Value, length: number) => boolean,
  ): PhrasesFound<Value> | undefined;
}

/** "kill*" also matches "killing" and "killers", but not words whose ending is longer than this. */
const ENDING_LENGTH_MAX = 6;
const BEGINNING_LENGTH_MIN = 2;

/**
 * Creates an empty table. A phrase is a list of folded words. A word may end in "*" (a short ending may follow) or be
 * "#" (a word that begins with a digit).
 */
export function phraseTable<Value>(): PhraseTable<Value> {
  const root = emptyNode<Value>();
  return {
    get: (phrase) => nodeOf(root, phrase).value,
    set(phrase, value) {
      nodeOf(root, phrase).value = value;
    },
    longestAt(words, at, accepts) {
      const search: Search<Value> = { words, at, accepts, values: [], length: 0 };
      walk(root, 0, search);
      return search.length > 0 ? { values: search.values, length: search.length } : undefined;
    },
  };
}

function emptyNode<Value>(): Node<Value> {
  return { exact: undefined, beginnings: undefined, number: undefined, value: undefined };
}

function nodeOf<Value>(root: Node<Value>, phrase: readonly string[]): Node<Value> {
  let node = root;
  for (const term of phrase) node = nextNode(node, term);
  return node;
}

function nextNode<Value>(node: Node<Value>, term: string): Node<Value> {
  if (term === NUMBER_TERM) {
    node.number ??= emptyNode();
    return node.number;
  }
  if (term.endsWith("*")) {
    node.beginnings ??= new Map();
    return nodeUnder(node.beginnings, term.slice(0, -1));
  }
  node.exact ??= new Map();
  return nodeUnder(node.exact, term);
}

function nodeUnder<Value>(map: Map<string, Node<Value>>, key: string): Node<Value> {
  const existing = map.get(key);
  if (existing) return existing;
  const added = emptyNode<Value>();
  map.set(key, added);
  return added;
}

interface Search<Value> {
  readonly words: readonly Word[];
  readonly at: number;
  readonly accepts: ((value: Value, length: number) => boolean) | undefined;
  values: Value[];
  length: number;
}

/** Walks the table recursively. Depth is bounded by the longest phrase, breadth by `ENDING_LENGTH_MAX`. */
function walk<Value>(node: Node<Value>, length: number, search: Search<Value>): void {
  if (node.value !== undefined && length >= search.length && (search.accepts?.(node.value, length) ?? true)) {
    if (length > search.length) search.values = [];
    search.length = length;
    search.values.push(node.value);
  }
  const word = search.words[search.at + length]?.folded;
  if (word === undefined) return;
  const exact = node.exact?.get(word);
  if (exact) walk(exact, length + 1, search);
  if (node.beginnings !== undefined) {
    const shortest = Math.max(BEGINNING_LENGTH_MIN, word.length - ENDING_LENGTH_MAX);
    for (let cut = word.length; cut >= shortest; cut -= 1) {
      const beginning = node.beginnings.get(word.slice(0, cut));
      if (beginning) walk(beginning, length + 1, search);
    }
  }
  const first = word.charCodeAt(0);
  if (node.number && first >= 0x30 && first <= 0x39) walk(node.number, length + 1, search);
}
