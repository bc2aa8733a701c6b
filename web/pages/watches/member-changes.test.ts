import { expect, test } from "vitest";
import { memberChanges } from "./member-changes.js";

const texts = (before: unknown, after: unknown) =>
  memberChanges(before, after).map(({ member, before: from, after: to, isChanged }) => [member, from, to, isChanged]);

test("the members of two rows are shown side by side, including members that only one row has", () => {
  expect(texts({ id: "a", magnitude: 5, old: null }, { id: "a", magnitude: 6, place: ["x"] })).toEqual([
    ["id", "a", "a", false],
    ["magnitude", "5", "6", true],
    ["old", "null", undefined, true],
    ["place", undefined, '[\n "x"\n]', true],
  ]);
});

test("for an added or removed row, only one side has values", () => {
  expect(texts(undefined, { id: "a" })).toEqual([["id", undefined, "a", true]]);
  expect(texts({ id: "a" }, undefined)).toEqual([["id", "a", undefined, true]]);
});

test("a value without members is shown as one row with an empty name, even if the other value has members", () => {
  expect(texts(5, 6)).toEqual([["", "5", "6", true]]);
  expect(texts("ok", "ok")).toEqual([["", "ok", "ok", false]]);
  expect(texts(null, { a: 1 })).toEqual([
    ["", "null", undefined, true],
    ["a", undefined, "1", true],
  ]);
});
