import { expect, test } from "vitest";
import { phraseTable } from "./phrases.js";
import { wordsOf } from "./words.js";

const table = phraseTable<string>();
for (const phrase of ["south sudan", "sudan", "south", "kill*", "kills", "category # storm"])
  table.set(phrase.split(" "), phrase);

test.each<[text: string, values: string[], length: number]>([
  ["South Sudan votes", ["south sudan"], 2],
  ["South votes", ["south"], 1],
  ["kills five", ["kills", "kill*"], 1],
  ["killing", ["kill*"], 1],
  ["category 4 storm", ["category # storm"], 3],
])("a phrase table finds the longest phrases at the start of %j", (text, values, length) => {
  expect(table.longestAt(wordsOf(text, 9), 0)).toEqual({ values, length });
});

test("a phrase table finds nothing if no phrase is complete, or if the ending matched by `*` is too long", () => {
  for (const text of ["category storm", "killjoysandothers", ""])
    expect(table.longestAt(wordsOf(text, 9), 0)).toBeUndefined();
});

test("a phrase table finds a shorter phrase when the longer one is not accepted", () => {
  const match = table.longestAt(wordsOf("South Sudan", 9), 0, (_value, length) => length < 2);
  expect(match).toEqual({ values: ["south"], length: 1 });
});
