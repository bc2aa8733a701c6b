import { expect, test } from "vitest";
import { englishStem } from "./english-stem.js";

test.each([
  "launch launches launched launching",
  "close closes closed closing",
  "plan plans planned planning",
  "price prices priced pricing",
  "sue sues sued suing",
  "issue issues issued issuing",
  "withdraw withdraws withdrew withdrawn withdrawing",
  "cancel cancels cancelled canceled cancelling",
  "deny denies denied denying",
  "merge merges merged merging",
  "open opens opened",
  "miss misses missed missing",
  "freeze freezes froze frozen freezing",
])("the forms %j have one stem", (forms) => {
  expect(new Set(forms.split(" ").map(englishStem)).size).toBe(1);
});

test.each([
  ["plan", "plane"],
  ["loss", "lose"],
  ["not", "note"],
  ["win", "wine"],
  ["us", "used"],
  ["share", "shares"],
])("%j and %j have different stems", (first, second) => {
  expect(englishStem(first)).not.toBe(englishStem(second));
});

test("words in other scripts stay as they are", () => {
  expect(englishStem("санкции")).toBe("санкции");
});
