import { expect, test } from "vitest";
import { loneValues } from "./lone-values.js";

test("loneValues finds each value without a neighbour, even at the ends of the list", () => {
  expect(loneValues([1, null, 2, null, 3, 4, null, 5])).toEqual([0, 2, 7]);
  expect(loneValues([1, 2, 3])).toEqual([]);
  expect(loneValues([])).toEqual([]);
});
