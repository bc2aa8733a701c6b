import { expect, test } from "vitest";
import { differencesOf } from "./differences.js";

test("equal values have no differences, whatever the order of their members", () => {
  expect(differencesOf({ a: 1, b: [{ id: "x" }] }, { b: [{ id: "x" }], a: 1 })).toEqual([]);
});

test("members that were added, removed or changed are listed with their paths", () => {
  const [from, to] = [
    { a: { b: 1, c: 2 }, gone: null },
    { a: { b: 3, c: 2 }, more: 0 },
  ];
  expect(differencesOf(from, to)).toEqual([
    { path: "a.b", from: 1, to: 3 },
    { path: "gone", from: null },
    { path: "more", to: 0 },
  ]);
});

test("rows are compared by identity, not by position", () => {
  const from = {
    rows: [
      { id: "a", n: 1 },
      { id: "b", n: 2 },
    ],
  };
  const to = {
    rows: [
      { id: "b", n: 3 },
      { id: "c", n: 4 },
      { id: "a", n: 1 },
    ],
  };
  expect(differencesOf(from, to)).toEqual([
    { path: "rows[?id=='b'].n", from: 2, to: 3 },
    { path: "rows[?id=='c']", to: { id: "c", n: 4 } },
  ]);
});

test("rows without an identity are compared by their content, counting repetitions", () => {
  expect(differencesOf([1, 1, 2], [1, 2, 2, 3])).toEqual([
    { path: "[]", from: 1 },
    { path: "[]", to: 2 },
    { path: "[]", to: 3 },
  ]);
});

test("values of different kinds differ as a whole", () => {
  expect(differencesOf([1], { a: 1 })).toEqual([{ path: "@", from: [1], to: { a: 1 } }]);
});
