import fc from "fast-check";
import { expect, test } from "vitest";
import { Fuel } from "./fuel.js";
import { ascendingSteps, isLess, sortKeysSteps } from "./order.js";
import { finish } from "./testing/search.js";

function sorted(values: readonly unknown[]): readonly unknown[] | null {
  const fuel = new Fuel(10_000_000, () => 0);
  const keys = finish(sortKeysSteps(values, fuel));
  if (keys === null) return null;
  return [...finish(ascendingSteps(keys, fuel))].map((position) => values[position]);
}

test("sorting orders numbers by value", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (values) => {
      expect(sorted(values)).toEqual([...values].sort((a, b) => a - b));
    }),
  );
});

test("sorting orders strings by code point, which is the order of their UTF-8 bytes", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 4 })), (values) => {
      expect(sorted(values)).toEqual([...values].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }),
  );
});

test("sorting is stable", () => {
  const fuel = new Fuel(10_000, () => 0);
  const positions = finish(ascendingSteps({ keys: [2, 1, 2, 1, 2, 1, 1], surrogates: false }, fuel));
  expect([...positions]).toEqual([1, 3, 5, 6, 0, 2, 4]);
});

test.each([[[1, "a"]], [["a", null]], [[null]], [[[1]]], [[true]]])("%j has no sort order", (values) => {
  expect(sorted(values)).toBeNull();
});

test("sorting leaves empty lists and lists of one element unchanged", () => {
  expect(sorted([])).toEqual([]);
  expect(sorted(["a"])).toEqual(["a"]);
});

test("the fuel for comparing two strings depends on the length of the shorter one", () => {
  const spentFor = (text: string): number => {
    const fuel = new Fuel(100_000, () => 0);
    isLess(text, `${text}b`, false, fuel);
    return fuel.spent;
  };
  expect([spentFor("short"), spentFor("a".repeat(25_600))]).toEqual([0, 100]);
});
