import { englishStem } from "../../../kit/english-stem.js";
import { onFirstUse } from "../../../kit/on-first-use.js";
import { ownFile } from "../../../kit/own-file.js";
import { readWordLists } from "../../../kit/word-lists.js";
import { type EventCategory, type EventDirection, eventCategories, eventDirections } from "./event-class.js";
import { BEGINNING, COLON, END, NUMBER, QUESTION, type TitleWord } from "./title-words.js";

/** A frame of company-events.txt: a pattern of phrases, with the event that it describes. */
export interface EventFrame {
  readonly category: EventCategory | "none";
  readonly direction: EventDirection;
  readonly weight: number;
  /** The parts of the frame, as class numbers. A class is a list of phrases, any of which fits the part. */
  readonly parts: readonly number[];
  /** True if a title must contain the parts in this order. */
  readonly isOrdered: boolean;
}

/** The position of a phrase in a title. */
export interface Place {
  readonly at: number;
  readonly end: number;
}

/** A node of the tree of phrases, with the classes of the phrase that ends here. Most nodes have no children. */
interface Node {
  next: Map<string, Node> | undefined;
  /** Children by the beginning of a word. The child matches every word that begins with its key. */
  beginnings: Map<string, Node> | undefined;
  parts: number[] | undefined;
}

/** Weights of frames, by the strength stated in the title of the list that contains the frame. */
const WEIGHTS = { weak: 1, plain: 2, strong: 3, sure: 4, certain: 9 } as const;
/** Marks a term that matches its word only in the written form, not in inflections. */
const EXACT = "=";
const CLASS = "@";
const CLASS_NAME = /^@[a-z-]+$/;
const CLASS_WITHIN = /@[a-z-]+/;

/** Caches terms by word, because the phrases share most of their words. */
const terms = new Map<string, string>();
const numbers = new Map<string, number>();
const usedWithin = new Set<string>();
const root = emptyNode();

const lists = onFirstUse(() => readWordLists(ownFile("data/company-events.txt")));
/** The class of idioms. A phrase of this class hides the shorter phrases inside it. */
const idioms = classNumber("@idiom");
/** Classes of words that affect the direction of an event. All except denials must be near the event. */
export const openings = classNumber("@open");
export const warnings = classNumber("@warning");
export const denials = classNumber("@denial");
export const endsOfBad = classNumber("@end-of-bad");
export const endsOfGood = classNumber("@end-of-good");
/** The frames by their first part. Read on first use, because reading takes a fifth of a second. */
const framesByFirst = onFirstUse(readFrames);

/** Returns the frames whose first part is this class. */
export function framesBeginningWith(part: number): readonly EventFrame[] {
  return framesByFirst()[part] ?? [];
}

/** Finds the phrases of every class in a title, and returns their positions by class number. */
export function placesIn(words: readonly TitleWord[]): ReadonlyMap<number, readonly Place[]> {
  // The first call fills the tree of phrases.
  framesByFirst();
  const places = new Map<number, Place[]>();
  for (let at = 0; at < words.length; at += 1) addPlaces(root, words, { at, end: at }, places);
  const hidden = places.get(idioms) ?? [];
  if (hidden.length === 0) return places;
  const isShown = ({ at, end }: Place): boolean =>
    !hidden.some((idiom) => idiom.at <= at && end <= idiom.end && idiom.end - idiom.at > end - at);
  return new Map([...places].map(([part, some]) => [part, some.filter(isShown)]));
}

/**
 * Adds the positions of the phrases that end at a node or below it. The words from `at` to `end` are those on the path
 * from the root to the node.
 */
function addPlaces(node: Node, words: readonly TitleWord[], { at, end }: Place, places: Map<number, Place[]>): void {
  for (const part of node.parts ?? []) push(places, part, { at, end });
  const word = words[end];
  if (word === undefined) return;
  const following = { at, end: end + 1 };
  const byStem = node.next?.get(word.stem);
  if (byStem) addPlaces(byStem, words, following, places);
  const exact = node.next?.get(EXACT + word.folded);
  if (exact) addPlaces(exact, words, following, places);
  for (const [beginning, child] of node.beginnings ?? []) {
    if (word.folded.startsWith(beginning)) addPlaces(child, words, following, places);
  }
}

function readFrames(): readonly (readonly EventFrame[])[] {
  const byFirst: EventFrame[][] = [];
  for (const [title, entries] of Object.entries(lists()).filter(([name]) => !name.startsWith(CLASS))) {
    const meaning = meaningOf(title);
    for (const entry of entries) {
      const parts = entry.split(/ [+&] /).map(partNumber);
      const [first = 0] = parts;
      byFirst[first] ??= [];
      byFirst[first].push({ ...meaning, parts, isOrdered: !entry.includes(" & ") });
    }
  }
  for (const [name, phrases] of Object.entries(lists()).filter(([title]) => title.startsWith(CLASS))) {
    const part = numbers.get(name);
    if (part !== undefined) for (const phrase of phrases) addPhrase(phrase, part);
    else if (!usedWithin.has(name)) throw new Error(`company-events.txt: nothing uses the class ${name}`);
  }
  return byFirst;
}

function meaningOf(title: string): Pick<EventFrame, "category" | "direction" | "weight"> {
  const [first, ...others] = title.split(" ");
  const category = first === "none" ? first : eventCategories.find((name) => name === first);
  const direction = first === "none" ? "mixed" : eventDirections.find((name) => name === others[0]);
  const [level] = first === "none" ? others : others.slice(1);
  const weight = Object.entries(WEIGHTS).find(([name]) => name === level)?.[1];
  if (category === undefined || direction === undefined || weight === undefined) {
    throw new Error(`company-events.txt: no list may be called ${title}`);
  }
  return { category, direction, weight };
}

/**
 * Returns the class number of a part of a frame. A part is the name of a class, or a list of phrases separated by bars.
 */
function partNumber(part: string): number {
  if (CLASS_NAME.test(part)) {
    phrasesOf(part);
    return classNumber(part);
  }
  const isNew = !numbers.has(part);
  const number = classNumber(part);
  if (isNew) for (const alternative of part.split("|")) addPhrase(alternative, number);
  return number;
}

function classNumber(name: string): number {
  const number = numbers.get(name) ?? numbers.size;
  numbers.set(name, number);
  return number;
}

/** Adds a phrase to a part. A class inside the phrase is replaced by each of its phrases. */
function addPhrase(text: string, part: number): void {
  const [name] = CLASS_WITHIN.exec(text) ?? [];
  if (name !== undefined) {
    usedWithin.add(name);
    for (const other of phrasesOf(name)) addPhrase(text.replace(name, other), part);
    return;
  }
  let node = root;
  for (const term of text.split(" ")) node = nodeUnder(node, term);
  node.parts ??= [];
  if (!node.parts.includes(part)) node.parts.push(part);
}

function phrasesOf(name: string): readonly string[] {
  const phrases = lists()[name];
  if (phrases === undefined) throw new Error(`company-events.txt: there is no class ${name}`);
  return phrases;
}

function nodeUnder(node: Node, term: string): Node {
  if (term.endsWith("*")) {
    node.beginnings ??= new Map();
    return childOf(node.beginnings, term.slice(0, -1));
  }
  node.next ??= new Map();
  return childOf(node.next, termOf(term));
}

/** Returns the child at a key, and adds it if it is missing. */
function childOf(children: Map<string, Node>, key: string): Node {
  const existing = children.get(key);
  if (existing) return existing;
  const added = emptyNode();
  children.set(key, added);
  return added;
}

function emptyNode(): Node {
  return { next: undefined, beginnings: undefined, parts: undefined };
}

function termOf(word: string): string {
  const cachedTerm = terms.get(word);
  if (cachedTerm !== undefined) return cachedTerm;
  const isMark = [BEGINNING, COLON, END, NUMBER, QUESTION].includes(word) || word.startsWith(EXACT);
  const term = isMark ? word : englishStem(word);
  terms.set(word, term);
  return term;
}

function push<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
