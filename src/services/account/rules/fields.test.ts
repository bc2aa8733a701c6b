import { expect, test } from "vitest";
import { firstText, firstWhole, listLimit } from "./fields.js";

const NOW = 0;

test("the first value of a repeated parameter is used", () => {
  expect(firstText("A text").decode(["a", "b"], NOW)).toEqual({ value: "a" });
  expect(firstWhole("A number").decode(["7", "x"], NOW)).toEqual({ value: 7 });
});

test("the number 0 counts as absent", () => {
  expect([[], ["0"]].map((values) => firstWhole("A number").decode(values, NOW))).toEqual([
    { value: undefined },
    { value: undefined },
  ]);
});

test.each(["-1", "1.5", "1e3", "9".repeat(16)])("%s is refused, because only 1 to 15 digits are valid", (value) => {
  expect(firstWhole("A number").decode([value], NOW)).toEqual({
    violation: `must be a whole number of at most 15 digits, got "${value}"`,
  });
});

test("the maximum and default size of a list is 200 items", () => {
  expect([[], ["0"], ["7"], ["201"]].map((values) => listLimit().decode(values, NOW))).toEqual([
    { value: 200 },
    { value: 200 },
    { value: 7 },
    { value: 200 },
  ]);
});
