import { expect, test } from "vitest";
import { together } from "./together.js";

test("items are arranged group by group, in the order of each group's first item", () => {
  const items = ["a1", "b1", "a2", "c1", "b2", "a3"];
  expect(together(items, (item) => item[0])).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
});
