import { describe, expect, test } from "vitest";
import { nameFinder } from "./title-names.js";

const batch = (...titles: string[]): { title: string; language: string }[] =>
  titles.map((title) => ({ title, language: "en" }));

describe("names in titles", () => {
  test("a name is a capitalised word inside a sentence, or a sequence of such words", () => {
    const finder = nameFinder([]);
    expect(finder.namesIn("Talks between Iran and the Bank of England fail in New York", "en")).toEqual([
      "iran",
      "bank of england",
      "new york",
    ]);
  });

  test("the first word of a title is a name only if other titles use it as a name", () => {
    expect(nameFinder([]).namesIn("Israel strikes targets", "en")).toEqual([]);
    expect(nameFinder(batch("Strikes hit Israel again")).namesIn("Israel strikes targets", "en")).toEqual(["israel"]);
  });

  test("a title in title case yields only the names that other titles contain", () => {
    const finder = nameFinder(batch("Rockets fired from Lebanon at the weekend"));
    expect(finder.namesIn("Rockets Fired From Lebanon Land In Open Fields", "en")).toEqual(["lebanon"]);
  });

  test("a full name is shortened to the last name if another title contains the last name", () => {
    const finder = nameFinder(batch("What will Lagarde say?"));
    expect(finder.namesIn("Rates stay, says Christine Lagarde", "en")).toEqual(["lagarde"]);
  });

  test("possessive endings, days and forms of address such as President are not parts of names", () => {
    expect(nameFinder([]).namesIn("On Monday the home of President Macron’s aide in France's south", "en")).toEqual([
      "macron",
      "france",
    ]);
  });

  test("a German title yields only abbreviations and sequences of capitalised words", () => {
    expect(nameFinder([]).namesIn("Die EZB und der Minister Boris Pistorius beraten über Zinsen", "de")).toEqual([
      "ezb",
      "boris pistorius",
    ]);
  });

  test("no names are found in scripts without capitals", () => {
    expect(nameFinder([]).namesIn("双方同意停火三天", "zh")).toEqual([]);
    expect(nameFinder([]).namesIn("بدء محادثات وقف إطلاق النار", "ar")).toEqual([]);
  });

  test("each name is listed once, and at most six names are listed", () => {
    const title = "talks of Ab and Ab and Cd and Ef and Gh and Ij and Kl and Mn";
    expect(nameFinder([]).namesIn(title, "en")).toEqual(["ab", "cd", "ef", "gh", "ij", "kl"]);
  });
});
