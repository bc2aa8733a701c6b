import fc from "fast-check";
import { expect, test } from "vitest";
import { equalSteps } from "./equality.js";
import { BudgetExceeded } from "./errors.js";
import { Fuel } from "./fuel.js";
import { jsonDocument } from "./testing/arbitrary.js";
import { finish } from "./testing/search.js";

function equal(left: unknown, right: unknown): boolean {
  return finish(equalSteps(left, right, new Fuel(100_000, () => 0)));
}

/** A small value whose full comparison takes 2 to the power of `depth` steps. */
function doubled(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = [value, value];
  return value;
}

test("a value equals its copy", () => {
  fc.assert(
    fc.property(jsonDocument, (value) => {
      expect(equal(value, structuredClone(value))).toBe(true);
    }),
  );
});

test.each([
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: null }, { b: null }, false],
  [{ toString: 1 }, { a: 1 }, false],
  [[], {}, false],
  [{ 0: "a" }, ["a"], false],
  [0, false, false],
  ["1", 1, false],
  [null, [], false],
])("comparing %j with %j yields %s", (left, right, result) => {
  expect(equal(left, right)).toBe(result);
  expect(equal(right, left)).toBe(result);
});

test("values nested twenty thousand deep are compared without recursion", () => {
  const deep = (): unknown => Array.from({ length: 20_000 }).reduce((inner) => [inner], 1);
  expect(equal(deep(), deep())).toBe(true);
});

test("a comparison that would take 2^60 steps ends when its budget is spent", () => {
  expect(() => equal(doubled(60), doubled(60))).toThrow(BudgetExceeded);
});
