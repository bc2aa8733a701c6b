import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FeedTier, ThreatLevel } from "../../digest-records.js";
import { type ImportanceInputs, importanceTerms, importanceWeights, recencyPoints } from "./importance.js";
import { scoreOf } from "./score-terms.js";

const HOUR = 3_600_000;
const now = Date.UTC(2026, 4, 1, 12);
const least: ImportanceInputs = {
  level: "info",
  tier: 4,
  storySources: 1,
  entitySources: 0,
  publishedAt: now - 24 * HOUR,
  now,
  isDiplomacy: false,
};
const scored = (changes: Partial<ImportanceInputs>): number => scoreOf(importanceTerms({ ...least, ...changes }));

test("the shares of importance add up to 100 percent", () => {
  expect(Object.values(importanceWeights).reduce<number>((sum, weight) => sum + weight, 0)).toBe(100);
});

test("the least important item scores 8: 5 points for tier 4 and 3 for a single source", () =>
  expect(scored({})).toBe(8));

test("the most important item scores 138", () => {
  expect(
    scored({ level: "critical", tier: 1, storySources: 5, entitySources: 5, publishedAt: now, isDiplomacy: true }),
  ).toBe(138);
});

describe("the importance of an otherwise least important item", () => {
  test.each([
    ["info", 8],
    ["low", 22],
    ["medium", 36],
    ["high", 49],
    ["critical", 63],
  ] as const)("with level %s is %i", (level, score) => expect(scored({ level })).toBe(score));

  test.each([
    [4, 8],
    [3, 13],
    [2, 18],
    [1, 23],
  ] as const)("with tier %i is %i", (tier, score) => expect(scored({ tier })).toBe(score));

  test.each([
    [1, 8],
    [2, 11],
    [5, 20],
    [6, 20],
  ])("with %i story sources is %i", (storySources, score) => expect(scored({ storySources })).toBe(score));

  test.each([
    [2, 11 + 8],
    [5, 20 + 20],
    [6, 20 + 20],
  ])("with %i entity sources, which count as corroboration and as a bonus, is %i", (entitySources, score) => {
    expect(scored({ entitySources })).toBe(score);
  });

  test("uses the larger of the counts of story sources and entity sources as corroboration", () => {
    expect(scored({ storySources: 4, entitySources: 2 })).toBe(17 + 8);
  });

  test("rises by 18 points with diplomacy", () => expect(scored({ isDiplomacy: true })).toBe(26));
});

test.each([
  [-0.5, 100],
  [0, 100],
  [6, 75],
  [12, 50],
  [23.99, 0.04],
  [24, 0],
  [90, 0],
])("an item published %d hours ago has %d recency points", (hours, points) => {
  expect(recencyPoints(now - hours * HOUR, now)).toBe(points);
});

test("the terms have a fixed order and add up to a whole number between 0 and 138", () => {
  const anyInputs = fc.record({
    level: fc.constantFrom<ThreatLevel>("info", "low", "medium", "high", "critical"),
    tier: fc.constantFrom<FeedTier>(1, 2, 3, 4),
    storySources: fc.integer({ min: 1, max: 40 }),
    entitySources: fc.nat(40),
    publishedAt: fc.integer({ min: now - 100 * HOUR, max: now + HOUR }),
    now: fc.constant(now),
    isDiplomacy: fc.boolean(),
  });
  fc.assert(
    fc.property(anyInputs, (inputs) => {
      const terms = importanceTerms(inputs);
      expect(terms.map(({ name }) => name)).toEqual([
        "severity",
        "tier",
        "corroboration",
        "recency",
        "rounding",
        "diplomacy",
        "entities",
      ]);
      const score = scoreOf(terms);
      expect(Number.isInteger(score) && score >= 0 && score <= 138).toBe(true);
    }),
  );
});
