import type { ScoreTerm } from "../../digest-records.js";

/**
 * Makes a share of a score: points from 0 to 100, weighted in percent. The division comes last, so that 10 % of 70 is
 * exactly 7 in floating point.
 */
export function share(name: string, input: number, weightPercent: number): ScoreTerm {
  return { name, input, weight: weightPercent / 100, points: (weightPercent * input) / 100 };
}

/** Makes a term that adds `weight` points for each counted item. */
export function bonus(name: string, input: number, weight: number): ScoreTerm {
  return { name, input, weight, points: input * weight };
}

/** Adds the terms up in their order, so that a score always matches its explanation. */
export function scoreOf(terms: readonly ScoreTerm[]): number {
  return terms.reduce((sum, { points }) => sum + points, 0);
}

/**
 * Appends the term that rounds the sum of the shares to whole points. The difference of two close floating-point
 * numbers is exact, so the new sum is a whole number.
 */
export function rounded(shares: readonly ScoreTerm[]): readonly ScoreTerm[] {
  const sum = scoreOf(shares);
  return [...shares, adjustment("rounding", Math.round(sum) - sum)];
}

/** Appends a term that lowers the sum to the cap if the sum exceeds it. */
export function capped(terms: readonly ScoreTerm[], cap: number): readonly ScoreTerm[] {
  const score = scoreOf(terms);
  return score > cap ? [...terms, adjustment("cap", cap - score)] : terms;
}

function adjustment(name: string, points: number): ScoreTerm {
  return { name, input: points, weight: 1, points };
}
