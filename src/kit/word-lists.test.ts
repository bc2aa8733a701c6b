import { describe, expect, test } from "vitest";
import { wordListsIn } from "./word-lists.js";

const read = (...lines: readonly string[]) => wordListsIn(`${lines.join("\n")}\n`, "words.txt");

describe("word lists", () => {
  test("a list contains its words, over any number of lines", () => {
    expect(read("# Weather", "rain: drizzle,light rain,", "  shower*", "", "great storm: gale, storm #")).toEqual({
      rain: ["drizzle", "light rain", "shower*"],
      "great storm": ["gale", "storm #"],
    });
  });

  test("two lists may have a word in common", () => {
    expect(read("rain: wet", "snow: wet")).toEqual({ rain: ["wet"], snow: ["wet"] });
  });

  test("the words of a list may begin on the line after its name", () => {
    expect(read("rain:", "  drizzle")).toEqual({ rain: ["drizzle"] });
  });

  test.each([
    [["rain"], "words.txt, line 1: a list begins with its name and a colon"],
    [["  drizzle"], "words.txt, line 1: no list has begun"],
    [["rain: a,,b"], "words.txt, line 1: rain has an empty word"],
    [["rain: a,", "  b,a"], 'words.txt, line 2: rain has "a" twice'],
    [["rain: a", "rain: b"], "words.txt, line 2: the list rain is already defined"],
  ])("the lines %j are refused with an error that names the file and the line: %s", (lines, sentence) => {
    expect(() => read(...lines)).toThrow(new Error(sentence));
  });
});
