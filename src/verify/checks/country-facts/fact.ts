import { type Expected, type IngredientRows, oncePerGeneration, type Stored } from "../../check.js";

/** A stored fact on a country. */
export interface Fact {
  readonly countryCode: string;
  readonly label: string;
  readonly value: string;
  readonly factText: string;
  /** Epoch ms. */
  readonly at: number;
}

/** The recomputed facts by country and label. */
export type Facts = ReadonlyMap<string, Expected>;

export function keyOf(countryCode: string, label: string): string {
  return `${countryCode} ${label}`;
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}

export function decimal(value: number, digits: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: digits });
}

/** A check of the facts in one part of the dataset of country facts. */
export interface FactCheck {
  readonly part: string;
  /** The dataset that the facts come from. */
  readonly ingredient: string;
  readonly otherIngredients?: readonly string[];
  recompute(stored: Stored, facts: readonly Fact[], ingredient: IngredientRows): readonly Expected[];
}

/** Creates the check of a part in which every fact can be recomputed and none may be missing. */
export function wholePart(part: string, ingredient: string, factsOf: (stored: Stored) => Facts): FactCheck {
  const recomputed = oncePerGeneration(factsOf);
  return { part, ingredient, recompute: (stored, facts) => everyFact(facts, recomputed(stored)) };
}

/**
 * Creates a check that recomputes the value and the text of each stored fact. The check does not find missing facts,
 * because whether a fact exists also depends on when the source was read.
 */
export function storedFacts(
  part: string,
  ingredient: string,
  factOf: (stored: Stored) => (fact: Fact) => Expected,
): FactCheck {
  const recomputed = oncePerGeneration(factOf);
  return { part, ingredient, recompute: (stored, facts) => facts.map(recomputed(stored)) };
}

/**
 * Expects every stored fact to equal the recomputed one, and no recomputed fact to be missing. A part without facts is
 * not checked, because the dataset that the facts come from was not usable.
 */
function everyFact(facts: readonly Fact[], recomputed: Facts): readonly Expected[] {
  if (facts.length === 0) return [];
  const storedKeys = new Set(facts.map(({ countryCode, label }) => keyOf(countryCode, label)));
  const missing = [...recomputed].filter(([key]) => !storedKeys.has(key));
  return [
    ...facts.map(({ countryCode, label }) => recomputed.get(keyOf(countryCode, label)) ?? { value: undefined }),
    ...missing.map(([, fact]) => fact),
  ];
}
