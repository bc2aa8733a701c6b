import { describe, expect, test } from "vitest";
import { type AnswerStanding, cacheControl } from "./cache-policy.js";

const standing: AnswerStanding = {
  tier: "fast",
  isPublic: true,
  isDegraded: false,
  validForMs: Number.POSITIVE_INFINITY,
};

describe("a public answer", () => {
  test.each([
    { validForMs: Number.POSITIVE_INFINITY, ages: [60, 300, 60] },
    { validForMs: 400_000, ages: [60, 300, 60] },
    { validForMs: 330_999, ages: [60, 300, 30] },
    { validForMs: 300_000, ages: [60, 300, 0] },
    { validForMs: 100_000, ages: [60, 100, 0] },
    { validForMs: 59_999, ages: [59, 59, 0] },
    { validForMs: 999, ages: [0, 0, 0] },
    { validForMs: -5_000, ages: [0, 0, 0] },
  ])("no cache keeps a public answer for longer than it is valid, with $validForMs ms left", ({ validForMs, ages }) => {
    const [maxAge, shared, revalidate] = ages;
    expect(cacheControl({ ...standing, validForMs })).toBe(
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
