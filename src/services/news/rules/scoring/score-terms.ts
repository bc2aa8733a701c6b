import type { ScoreTerm } from "../../digest-records.js";

/** A share of a score: points of 0 to 100, weighed in percent. Dividing last keeps 10 % of 70 at 7 exactly. */
export function share(name: string, input: number, weightPercent: number): ScoreTerm {
  return { name, input, weight: weightPercent / 100, points: (weightPercent * input) / 100 };
}

/** Whole points for each unit of a count. */
export function bonus(name: string, input: number, weight: number): ScoreTerm {
  return { name, input, weight, points: input * weight };
}

/** A score is what its terms add up to, in their order: it cannot disagree with its explanation. */
export function scoreOf(terms: readonly ScoreTerm[]): number {
  return terms.reduce((sum, { points }) => sum + points, 0);
}

/**
 * The shares and what rounds their sum to whole points. The difference of two neighbouring numbers is exact, so that the
 * sum with it is whole to the last bit.
 */
export function rounded(shares: readonly ScoreTerm[]): readonly ScoreTerm[] {
  const sum = scoreOf(shares);
  return [...shares, adjustment("rounding", Math.round(sum) - sum)];
}

/** The terms and, where they exceed it, what lowers their sum to the cap. */
export function capped(terms: readonly ScoreTerm[], cap: number): readonly ScoreTerm[] {
  const score = scoreOf(terms);
  return score > cap ? [...terms, adjustment("cap", cap - score)] : terms;
}

function adjustment(name: string, points: number): ScoreTerm {
  return { name, input: points, weight: 1, points };
}
