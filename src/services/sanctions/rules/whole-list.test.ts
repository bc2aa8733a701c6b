import { expect, test } from "vitest";
import type { ListedEntity } from "../records.js";
import { wholeList, withoutNewMarks } from "./whole-list.js";

const entities = (count: number, first = 0): readonly ListedEntity[] =>
  Array.from({ length: count }, (_, index) => ({ id: `x:${first + index}`, name: "X", type: "entity", programs: [] }));

test("no entry of a list is new in the first build", () => {
  expect(wholeList([], entities(10), { all: 10 }).some(({ isNew }) => isNew)).toBe(false);
});

test("an entry that the stored list lacks is new, and no longer new in the next build", () => {
  const second = wholeList(entities(10), entities(11), { all: 10 });
  expect(second.filter(({ isNew }) => isNew).map(({ id }) => id)).toEqual(["x:10"]);
  expect(wholeList(second, entities(11), { all: 10 }).some(({ isNew }) => isNew)).toBe(false);
});

test("the entries of a list that a later build keeps are not new", () => {
  const [first, ...others] = entities(3);
  expect(first && withoutNewMarks([{ ...first, isNew: true }, ...others])).toEqual(entities(3));
  expect(withoutNewMarks(others)).toBe(others);
});

test("a list may lose at most a tenth of its entries", () => {
  expect(wholeList(entities(100), entities(90), { all: 1 })).toHaveLength(90);
  expect(() => wholeList(entities(100), entities(89), { all: 1 })).toThrow("the list lost 11 of 100 entries");
  expect(() => wholeList(entities(100), entities(100, 50), { all: 1 })).toThrow("the list lost 50 of 100 entries");
});

test("a list below its minimum, in total or by type, is refused", () => {
  expect(() => wholeList([], entities(9), { all: 10 })).toThrow(
    "the list is too short (entries: 9); expected 10 or more",
  );
  expect(() => wholeList([], entities(10), { all: 1, vessel: 1 })).toThrow(
    "the list is too short (entries of type vessel: 0)",
  );
});
