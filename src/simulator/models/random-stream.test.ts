import { expect, test } from "vitest";
import { bell, rememberPerSeed, streamFor } from "./random-stream.js";

test("the same seed and label give the same stream, and a different label gives a different stream", () => {
  const draws = (seed: number, label: string): readonly number[] => {
    const random = streamFor(seed, label);
    return [random(), random(), random()];
  };
  expect(draws(1, "a")).toEqual(draws(1, "a"));
  expect(draws(1, "a")).not.toEqual(draws(1, "b"));
  expect(draws(1, "a")).not.toEqual(draws(2, "a"));
});

test("the draws of `bell` have mean 0 and variance 1", () => {
  const random = streamFor(1, "bell");
  const draws = Array.from({ length: 20_000 }, () => bell(random));
  const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length;
  const variance = draws.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / draws.length;
  expect(mean).toBeCloseTo(0, 1);
  expect(variance).toBeCloseTo(1, 1);
});

test("rememberPerSeed builds once per seed, and evicts the oldest result when there are too many results", () => {
  const built: number[] = [];
  const remembered = rememberPerSeed((seed) => built.push(seed), 2);
  for (const seed of [1, 1, 2, 3, 3, 1]) remembered(seed);
  expect(built).toEqual([1, 2, 3, 1]);
});
