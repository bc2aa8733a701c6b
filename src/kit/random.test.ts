import { describe, expect, test } from "vitest";
import { seededRandom, systemRandom } from "./random.js";

const take = (seed: number, count: number): readonly number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random());
};

describe("seededRandom", () => {
  // Expected values from another implementation of mulberry32.
  test.each([
    { seed: 0, first: [0.26642920868471265, 0.0003297457005828619, 0.2232720274478197] },
    { seed: 1, first: [0.6270739405881613, 0.002735721180215478, 0.5274470399599522] },
    { seed: 4_294_967_295, first: [0.8964226141106337, 0.189478256739676, 0.7156526781618595] },
  ])("a stream has the same numbers on every machine for seed $seed", ({ seed, first }) => {
    expect(take(seed, 3)).toEqual(first);
  });

  test("a stream is independent of concurrent streams", () => {
    const [first, other] = [seededRandom(7), seededRandom(7)];
    const mixed = Array.from({ length: 50 }, () => [first(), other()]);
    expect(mixed.map(([left]) => left)).toEqual(take(7, 50));
    expect(mixed.map(([, right]) => right)).toEqual(take(7, 50));
  });

  test("a stream stays in [0, 1) and fills this range evenly", () => {
    const values = take(42, 20_000);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = values.filter((value) => Math.floor(value * 10) === tenth).length / values.length;
      expect(share).toBeCloseTo(0.1, 1);
    }
  });

  test("no two of 1,000 neighbouring seeds have the same first value", () => {
    expect(new Set(Array.from({ length: 1_000 }, (_, seed) => seededRandom(seed)())).size).toBe(1_000);
  });
});

test("the machine's random numbers are in [0, 1)", () => {
  const values = Array.from({ length: 1_000 }, systemRandom);
  expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
});
