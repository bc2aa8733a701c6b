import { expect, test } from "vitest";
import { wordsOf } from "./words.js";

const folded = (text: string): string[] => wordsOf(text, 100).map((word) => word.folded);

test.each<[text: string, words: string[]]>([
  ["China’s N'Djamena-bound jet", ["china", "s", "n", "djamena", "bound", "jet"]],
  ["U.S. and D.R.C agree", ["us", "and", "drc", "agree"]],
  ["São Tomé, Łódź, Straße", ["sao", "tome", "lodz", "strasse"]],
  ["São Tomé".normalize("NFD"), ["sao", "tome"]],
  ["1,200 dead; 3,4 hurt", ["1200", "dead", "3", "4", "hurt"]],
  ["中国と日本", ["中", "国", "と", "日", "本"]],
  ["", []],
])("wordsOf splits %j", (text, words) => {
  expect(folded(text)).toEqual(words);
});

test("wordsOf returns the text before each word, with white space collapsed", () => {
  expect(wordsOf("Paris, Texas", 9)[1]?.before).toBe(", ");
  expect(wordsOf("Paris,\n\t  Texas", 9)[1]?.before).toBe(", ");
});

test("wordsOf returns at most the requested number of words and truncates words to 48 characters", () => {
  expect(wordsOf("a b c", 2)).toHaveLength(2);
  expect(wordsOf("x".repeat(10_000), 2)[0]?.folded).toHaveLength(48);
});
