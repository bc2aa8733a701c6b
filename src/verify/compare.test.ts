import { expect, test } from "vitest";
import { between, Copied, containing, copied, type Expected, oneOf, rounded } from "./check.js";
import { compared } from "./compare.js";

const problemsOf = (expected: Expected, served: unknown) =>
  [...compared(expected, served)].flatMap(({ problem }) => problem ?? []);

test("equal values have no problem, and members that are not recomputed are not compared", () => {
  const expected = { months: [{ index: 2, change: rounded(1.23456, 4), base: undefined }], name: "a" };
  const served = { months: [{ index: 2, change: 1.2346, note: "b" }], name: "a", more: 1 };
  expect([...compared(expected, served)]).toEqual(
    ["months[0].index", "months[0].change", "months[0].base", "name"].map((path) => ({ path, isDerived: true })),
  );
});

test("a served value may be one of several values, a number in a range, or a sentence with certain words", () => {
  const expected = { a: oneOf([1, 2]), b: between(1, 2), c: containing("two", "ten") };
  expect(problemsOf(expected, { a: 2, b: 2, c: "ten and two" })).toEqual([]);
});

test.each<[expected: Expected, served: unknown, problem: string]>([
  [{ a: 1 }, { a: 2 }, "a is 2, recomputed 1"],
  [{ a: 1 }, {}, "a is absent, recomputed 1"],
  [{ a: undefined }, { a: 0 }, "a is 0, recomputed absent"],
  [{ a: 1 }, { a: "1" }, 'a is "1", recomputed 1'],
  [{ a: [1, 2] }, { a: [1] }, "a has 1 rows, recomputed 2"],
  [{ a: [1] }, { a: 1 }, "a is 1, recomputed a list of 1"],
  [{ a: { b: 1 } }, { a: null }, "a is null, recomputed an object"],
  [{ a: rounded(1.23456, 2) }, { a: 1.24 }, "a is 1.24, recomputed 1.2346"],
  [{ a: rounded(1.23456, 2) }, { a: 1.2346 }, "a is 1.2346, recomputed 1.2346"],
  [{ a: rounded(1, 0) }, {}, "a is absent, recomputed 1"],
  [{ a: oneOf([1, 2]) }, { a: 3 }, "a is 3, recomputed one of 1, 2"],
  [{ a: between(1, 2) }, { a: 2.1 }, "a is 2.1, recomputed a number from 1 to 2"],
  [{ a: containing("two", "ten") }, { a: "two" }, 'a is "two", recomputed a sentence with "two" and "ten"'],
  [{ a: new Copied([1]) }, { a: [2] }, "a is [2], stored [1]"],
])("%j differs from %j", (expected, served, problem) => {
  expect(problemsOf(expected, served)).toEqual([problem]);
});

test.each([
  [1.005, 2, 1],
  [1.005, 2, 1.01],
  [-0.25, 1, -0.2],
  [-0.25, 1, -0.3],
])("%d, halfway between two numbers of %i decimals, may be served as %d", (value, decimals, served) => {
  expect(problemsOf({ a: rounded(value, decimals) }, { a: served })).toEqual([]);
});

test("copied members are compared but not counted as derived", () => {
  const row = { id: "x", at: [1, 2] };
  expect([...compared({ ...copied(row), count: 1 }, { ...row, count: 1 })].map(({ isDerived }) => isDerived)).toEqual([
    false,
    false,
    true,
  ]);
  expect(problemsOf(copied(row), { id: "x", at: [1, 3] })).toEqual(["at is [1,3], stored [1,2]"]);
});
