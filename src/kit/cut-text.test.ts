import { expect, test } from "vitest";
import { cutText, markedCut } from "./cut-text.js";

test.each([
  ["abcdef", 6, "abcdef", "abcdef"],
  ["abcdef", 5, "abcde", "abcd…"],
  ["abc   def", 5, "abc", "abc…"],
  ["ab\u{1f600}d", 3, "ab", "ab…"],
])("%j is cut to %i characters as %j, and with a mark as %j", (text, charactersMax, cut, marked) => {
  expect([cutText(text, charactersMax), markedCut(text, charactersMax)]).toEqual([cut, marked]);
});
