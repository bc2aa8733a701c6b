import { expect, test } from "vitest";
import type { FeedRisk, FeedTier } from "../../digest-records.js";
import { credibilityTerms, credibilityWeights } from "./credibility.js";
import { scoreOf } from "./score-terms.js";

const scored = (tier: FeedTier, risk: FeedRisk, storySources: number): number =>
  scoreOf(credibilityTerms({ tier, risk, storySources }));

test("the shares of credibility add up to 100 percent", () => {
  expect(Object.values(credibilityWeights).reduce<number>((sum, weight) => sum + weight, 0)).toBe(100);
});

test.each([
  [1, "low", 5, 100],
  [1, "low", 6, 100],
  [1, "low", 1, 84],
  [1, "medium", 1, 59],
  [2, "unknown", 1, 44],
  [3, "low", 2, 73],
  [4, "unknown", 1, 29],
  [4, "high", 1, 18],
] as const)("tier %i, risk %s and %i publisher families yield a credibility of %i", (tier, risk, families, score) => {
  expect(scored(tier, risk, families)).toBe(score);
});

test("a separate term caps the score of a high-risk publisher at 40", () => {
  expect(scored(1, "high", 1)).toBe(40);
  expect(credibilityTerms({ tier: 1, risk: "high", storySources: 1 })).toHaveLength(4);
  expect(scored(1, "high", 2)).toBe(40);
  expect(credibilityTerms({ tier: 1, risk: "high", storySources: 2 }).at(-1)).toEqual({
    name: "cap",
    input: -4,
    weight: 1,
    points: -4,
  });
  expect(scored(2, "high", 1)).toBe(33);
});
