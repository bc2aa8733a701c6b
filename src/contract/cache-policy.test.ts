import { describe, expect, test } from "vitest";
import { type AnswerStanding, cacheControl } from "./cache-policy.js";

const standing: AnswerStanding = {
  tier: "fast",
  isPublic: true,
  isDegraded: false,
  nextBuildInMs: Number.POSITIVE_INFINITY,
};

describe("a public answer", () => {
  test.each([
    { nextBuildInMs: Number.POSITIVE_INFINITY, ages: [60, 300, 60] },
    { nextBuildInMs: 400_000, ages: [60, 300, 60] },
    { nextBuildInMs: 330_999, ages: [60, 300, 30] },
    { nextBuildInMs: 300_000, ages: [60, 300, 0] },
    { nextBuildInMs: 100_000, ages: [60, 100, 0] },
    { nextBuildInMs: 59_999, ages: [59, 59, 0] },
    { nextBuildInMs: 999, ages: [0, 0, 0] },
    { nextBuildInMs: -5_000, ages: [0, 0, 0] },
  ])("no cache keeps a public answer beyond the next build, due in $nextBuildInMs ms", ({ nextBuildInMs, ages }) => {
    const [maxAge, shared, revalidate] = ages;
    expect(cacheControl({ ...standing, nextBuildInMs })).toBe(
      `public, max-age=${maxAge}, s-maxage=${shared}, stale-while-revalidate=${revalidate}`,
    );
  });
});

test.each([
  { changes: { isDegraded: true }, is: "no-store" },
  { changes: { tier: "no-store" }, is: "no-store" },
  { changes: { isPublic: false }, is: "private, no-cache" },
  { changes: { isPublic: false, isDegraded: true }, is: "no-store" },
] as const)("an answer with $changes has the Cache-Control '$is'", ({ changes, is }) => {
  expect(cacheControl({ ...standing, ...changes })).toBe(is);
});
