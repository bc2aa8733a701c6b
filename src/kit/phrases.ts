import type { Word } from "./words.js";

/** Stands in a phrase for one word that is a number in digits. */
export const NUMBER_TERM = "#";

interface Node<Value> {
  /** By folded word. */
  readonly exact: Map<string, Node<Value>>;
  /** By the beginning of a word ("evacuat*"). */
  readonly beginnings: Map<string, Node<Value>>;
  number: Node<Value> | undefined;
  value: Value | undefined;
}

/** A phrase found: what the table says of it, and how many words it took. */
export interface PhraseFound<Value> {
  readonly value: Value;
  readonly length: number;
}

/** Phrases of words that are looked up in one walk along the words of a text. */
export interface PhraseTable<Value> {
  /** The value of exactly this phrase, to be replaced or added to. */
  get(phrase: readonly string[]): Value | undefined;
  set(phrase: readonly string[], value: Value): void;
  /** The longest phrase that begins at word `at` and that `accepts`; of equal ones the one that says most. */
  longestAt(
    words: readonly Word[],
    at: number,
    accepts?: (value: Value, length: number) => boolean,
  ): PhraseFound<Value> | undefined;
}

/** "kill*" is also "killing" and "killers", but never a word that goes on for longer than an ending does. */
const ENDING_LENGTH_MAX = 6;
const BEGINNING_LENGTH_MIN = 2;

/** An empty table. A phrase is folded words; a word may end in "*" (any ending) or be "#" (digits). */
export function phraseTable<Value>(): PhraseTable<Value> {
  const root = emptyNode<Value>();
  return {
    get: (phrase) => nodeOf(root, phrase).value,
    set(phrase, value) {
      nodeOf(root, phrase).value = value;
    },
    longestAt: (words, at, accepts = () => true) => longest(root, words, at, 0, accepts),
  };
}

function emptyNode<Value>(): Node<Value> {
  return { exact: new Map(), beginnings: new Map(), number: undefined, value: undefined };
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
  const [map, key] = term.endsWith("*") ? [node.beginnings, term.slice(0, -1)] : [node.exact, term];
  const known = map.get(key);
  if (known) return known;
  const added = emptyNode<Value>();
  map.set(key, added);
  return added;
}

/** Depth is bounded by the longest phrase of the table, breadth by the endings tried. */
function longest<Value>(
  node: Node<Value>,
  words: readonly Word[],
  at: number,
  length: number,
  accepts: (value: Value, length: number) => boolean,
): PhraseFound<Value> | undefined {
  let best: PhraseFound<Value> | undefined;
  if (node.value !== undefined && accepts(node.value, length)) best = { value: node.value, length };
  const word = words[at + length]?.folded;
  if (word === undefined) return best;
  const follow = (next: Node<Value> | undefined): void => {
    const found = next && longest(next, words, at, length + 1, accepts);
    if (found && (best === undefined || found.length > best.length)) best = found;
  };
  follow(node.exact.get(word));
  if (node.beginnings.size > 0) {
    const shortest = Math.max(BEGINNING_LENGTH_MIN, word.length - ENDING_LENGTH_MAX);
    for (let cut = word.length; cut >= shortest; cut -= 1) follow(node.beginnings.get(word.slice(0, cut)));
  }
  const first = word.charCodeAt(0);
  if (node.number && first >= 0x30 && first <= 0x39) follow(node.number);
  return best;
}
