import { expect, test } from "vitest";
import { wordsOf } from "../../../../kit/words.js";
import { tollIn } from "./death-toll.js";

test.each<[title: string, word: string, toll: number]>([
  ["Quake kills 1,200 in two towns", "kills", 1200],
  ["At least eleven dead, 40 injured in fire", "dead", 11],
  ["Two hundred killed as ferry sinks", "killed", 200],
  ["Killed in 2018", "killed", 1],
  ["Killed 3 days ago", "killed", 1],
  ["$40 for the dead", "dead", 1],
  ["Dutzende Tote", "tote", 24],
])("the toll of %j at the word %j is %i", (title, word, toll) => {
  const words = wordsOf(title, 20);
  expect(tollIn(words, [{ at: words.findIndex(({ folded }) => folded === word), length: 1 }])).toBe(toll);
});

test("the toll is 0 if the title has no death word", () => {
  expect(tollIn(wordsOf("40 arrested", 9), [])).toBe(0);
});
