import { expect, test } from "vitest";
import { rowChanges } from "./row-changes.js";

const idOf = ({ id }: { readonly id: string }): string => id;

test("rows that have gone or changed are marked, and new rows are listed as added", () => {
  const then = [
    { id: "a", value: 1 },
    { id: "b", value: 1 },
    { id: "c", value: 1 },
  ];
  const now = [
    { id: "d", value: 1 },
    { id: "a", value: 1 },
    { id: "b", value: 2 },
  ];
  const { marks, added } = rowChanges(then, now, idOf);
  expect(Object.fromEntries(marks)).toEqual({ b: "changed since", c: "gone since" });
  expect(added).toEqual([{ id: "d", value: 1 }]);
});

test("lists with the same rows in different orders have no changes", () => {
  const { marks, added } = rowChanges([{ id: "a" }, { id: "b" }], [{ id: "b" }, { id: "a" }], idOf);
  expect([marks.size, added]).toEqual([0, []]);
});
