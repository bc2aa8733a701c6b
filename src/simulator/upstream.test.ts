import { expect, test } from "vitest";
import { rewriteMiddle } from "./upstream.js";

test("rewriteMiddle rewrites only the middle match", () => {
  expect(rewriteMiddle("1 2 3", /\d/g, (digit) => `<${digit}>`)).toBe("1 <2> 3");
  expect(rewriteMiddle("1", /\d/g, () => "x")).toBe("x");
});

test("rewriteMiddle leaves a string without a match unchanged", () => {
  expect(rewriteMiddle("abc", /\d/g, () => "x")).toBe("abc");
});
