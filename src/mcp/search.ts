import { englishStem } from "../kit/english-stem.js";
import type { Catalogue, Entry } from "./catalogue.js";

/** A result of a search: an operation or a dataset. */
export interface Hit {
  readonly name: string;
  readonly entry?: Entry;
  /** The title of a dataset. */
  readonly title?: string;
}

interface Document extends Hit {
  /** For each stem, the highest weight among the texts of the document that contain a word with this stem. */
  readonly weights: ReadonlyMap<string, number>;
}

/** Ranks the entries and datasets of a catalogue by the words of a query. */
export type Search = (query: string, max: number) => readonly Hit[];

const STEM_MIN = 4;
const QUERY_WORDS_MAX = 20;

export function searchOf(catalogue: Catalogue): Search {
  const documents: readonly Document[] = [
    ...catalogue.entries.map((entry) => ({ name: entry.name, entry, weights: weightsOf(placesOf(entry)) })),
    ...catalogue.datasets.map(({ name, title, description }) => ({
      name,
      title,
      weights: weightsOf([
        [2, name],
        [1.5, title],
        [0.5, description],
      ]),
    })),
  ];
  return (query, max) => {
    const stems = [...new Set(stemsOf(query))].slice(0, QUERY_WORDS_MAX);
    const terms = stems.map((stem) => {
      const weights = documents.map((document) => weightIn(document, stem));
      const matches = weights.filter((weight) => weight > 0).length;
      return { weights, rarity: Math.log(1 + documents.length / Math.max(1, matches)) };
    });
    return documents
      .map((document, at) => ({
        document,
        score: sum(terms.map(({ weights, rarity }) => (weights[at] ?? 0) * rarity)),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, max)
      .map(({ document: { weights: _weights, ...hit } }) => hit);
  };
}

type Place = readonly [weight: number, text: string];

function placesOf(entry: Entry): readonly Place[] {
  const { name, path, summary, description, declaration } = entry;
  const fields = entry.kind === "read" ? [...entry.fields.keys()].join(" ") : "";
  return [
    [4, name],
    [3, summary],
    [2, path],
    [1.5, `${fields} ${membersOf(declaration.response, 3).join(" ")}`],
    [1, description],
  ];
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

/** Returns the names of all members of a schema, down to a depth. */
function membersOf({ properties = {}, items }: Schema, depth: number): readonly string[] {
  if (depth === 0) return [];
  const own = Object.entries(properties).flatMap(([name, member]) => [name, ...membersOf(member, depth - 1)]);
  return items ? [...own, ...membersOf(items, depth)] : own;
}

function weightsOf(places: readonly Place[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const [weight, text] of places) {
    for (const stem of stemsOf(text)) weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
  }
  return weights;
}

function stemsOf(text: string): readonly string[] {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => word.length > 1 && !COMMON.has(word)).map(englishStem);
}

const COMMON: ReadonlySet<string> = new Set(
  "the of and or in on at to for by with from is are was be as it its an this that how what which who when where much many".split(
    " ",
  ),
);

/**
 * Returns the weight of a stem in a document. If the document lacks the stem, and the stem has at least `STEM_MIN`
 * letters, returns half of the highest weight among the longer stems that begin with it. Without a match, returns 0.
 */
function weightIn({ weights }: Document, stem: string): number {
  const exact = weights.get(stem);
  if (exact !== undefined || stem.length < STEM_MIN) return exact ?? 0;
  let best = 0;
  for (const [word, weight] of weights) if (word.startsWith(stem)) best = Math.max(best, weight / 2);
  return best;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
