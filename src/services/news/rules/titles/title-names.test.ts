import { describe, expect, test } from "vitest";
import { nameFinder } from "./title-names.js";

const batch = (...titles: string[]): { title: string; language: string }[] =>
  titles.map((title) => ({ title, language: "en" }));

describe("names", () => {
  test("are words capitalised inside a sentence, and sequences of them", () => {
    const finder = nameFinder([]);
    expect(finder.namesIn("Talks between Iran and the Bank of England fail in New York", "en")).toEqual([
      "iran",
      "bank of england",
      "new york",
    ]);
  });

  test("include the first word only if other titles use it as a name", () => {
    expect(nameFinder([]).namesIn("Israel strikes targets", "en")).toEqual([]);
    expect(nameFinder(batch("Strikes hit Israel again")).namesIn("Israel strikes targets", "en")).toEqual(["israel"]);
  });

  test("in a title in title case are only those that other titles contain", () => {
    const finder = nameFinder(batch("Rockets fired from Lebanon at the weekend"));
    expect(finder.namesIn("Rockets Fired From Lebanon Land In Open Fields", "en")).toEqual(["lebanon"]);
  });

  test("of persons are their last names, even if a title has the full name", () => {
    const finder = nameFinder(batch("What will Lagarde say?"));
    expect(finder.namesIn("Rates stay, says Christine Lagarde", "en")).toEqual(["lagarde"]);
  });

  test("exclude possessive endings, days and forms of address such as President", () => {
    expect(nameFinder([]).namesIn("On Monday the home of President Macron’s aide in France's south", "en")).toEqual([
      "macron",
      "france",
    ]);
  });

  test("in German are only abbreviations and sequences of capitalised words", () => {
    expect(nameFinder([]).namesIn("Die EZB und der Minister Boris Pistorius beraten über Zinsen", "de")).toEqual([
      "ezb",
      "boris pistorius",
    ]);
  });

  test("are not found in scripts without capitals", () => {
    expect(nameFinder([]).namesIn("双方同意停火三天", "zh")).toEqual([]);
    expect(nameFinder([]).namesIn("بدء محادثات وقف إطلاق النار", "ar")).toEqual([]);
  });

  test("are listed once each, at most six", () => {
    const title = "talks of Ab and Ab and Cd and Ef and Gh and Ij and Kl and Mn";
    expect(nameFinder([]).namesIn(title, "en")).toEqual(["ab", "cd", "ef", "gh", "ij", "kl"]);
  });
});
