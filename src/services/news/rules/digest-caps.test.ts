import { expect, test } from "vitest";
import { withinCategoryCap, withinFeedCap } from "./digest-caps.js";

const rows = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test.each([
  [4, 4, 0],
  [5, 5, 0],
  [6, 5, 1],
])("of %i entries of a feed, %i are kept", (count, kept, dropped) => {
  expect(withinFeedCap(rows(count))).toEqual({ kept: rows(kept), dropped });
});

test.each([
  [19, 19, 0],
  [20, 20, 0],
  [23, 20, 3],
])("of %i items of a category, %i are kept", (count, kept, dropped) => {
  expect(withinCategoryCap(rows(count))).toEqual({ kept: rows(kept), dropped });
});
