import fc from "fast-check";
import { expect, test } from "vitest";
import { bonus, capped, rounded, scoreOf, share } from "./score-terms.js";

test("share() takes the weight in percent and returns it as a fraction", () => {
  expect(share("severity", 75, 55)).toEqual({ name: "severity", input: 75, weight: 0.55, points: 41.25 });
  expect(share("recency", 70, 10).points).toBe(7);
});

test("a separate term rounds a sum to a whole number, and halves are rounded up", () => {
  expect(rounded([share("a", 25, 50)])).toEqual([
    share("a", 25, 50),
    { name: "rounding", input: 0.5, weight: 1, points: 0.5 },
  ]);
  expect(scoreOf(rounded([share("a", 24.9, 50)]))).toBe(12);
});

test("a cap lowers only sums above it", () => {
  expect(scoreOf(capped([bonus("a", 41, 1)], 40))).toBe(40);
  expect(capped([bonus("a", 40, 1)], 40)).toEqual([bonus("a", 40, 1)]);
});

test("rounded terms add up to an exact whole number for any input", () => {
  const anyShare = fc
    .tuple(fc.double({ min: 0, max: 100, noNaN: true }), fc.integer({ min: 1, max: 100 }))
    .map(([input, weight]) => share("x", input, weight));
  fc.assert(
    fc.property(fc.array(anyShare, { maxLength: 6 }), fc.nat(20), (shares, count) => {
      const terms = capped([...rounded(shares), bonus("bonus", count, 4)], 40);
      expect(Number.isInteger(scoreOf(terms))).toBe(true);
    }),
  );
});
