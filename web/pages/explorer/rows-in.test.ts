import { expect, test } from "vitest";
import { rowsIn } from "./rows-in.js";

test.each([
  [[{ a: 1 }], "", 1],
  [{ few: [{ a: 1 }], many: [{ a: 1 }, { a: 2 }] }, "many", 2],
  [{ outer: { inner: [{ a: 1 }] } }, "outer.inner", 1],
])("the rows of %j are those of its longest list", (value, name, count) => {
  const list = rowsIn(value);
  expect([list?.name, list?.rows.length]).toEqual([name, count]);
});

test.each([[null], [1], [[]], [[1, 2]], [{ a: { b: { c: { d: [{}] } } } }]])("%j has no rows", (value) =>
  expect(rowsIn(value)).toBeUndefined(),
);
