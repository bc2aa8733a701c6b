import { describe, expect, test } from "vitest";
import { nameFinder } from "./title-names.js";

const batch = (...titles: string[]): { title: string; language: string }[] =>
  titles.map((title) => ({ title, language: "en" }));

describe("names", () => {
  test("capitalised inside a sentence, sequences as one", () => {
    const finder = nameFinder([]);
    expect(finder.namesIn("Talks between Iran and the Bank of England fail in New York", "en")).toEqual([
      ...["iran", "bank of england", "new york"],
    ]);
  });

  test("the first word is a name only where the batch shows it as one", () => {
    expect(nameFinder([]).namesIn("Israel strikes targets", "en")).toEqual([]);
    expect(nameFinder(batch("Strikes hit Israel again")).namesIn("Israel strikes targets", "en")).toEqual(["israel"]);
  });

  test("titles in title case name what other titles name", () => {
    const finder = nameFinder(batch("Rockets fired from Lebanon at the weekend"));
    expect(finder.namesIn("Rockets Fired From Lebanon Land In Open Fields", "en")).toEqual(["lebanon"]);
  });

  test("a person in full and by the last name is one", () => {
    const finder = nameFinder(batch("What will Lagarde say?"));
    expect(finder.namesIn("Rates stay, says Christine Lagarde", "en")).toEqual(["lagarde"]);
  });

  test("possessives, days and titles are no part of a name", () => {
    expect(nameFinder([]).namesIn("On Monday the home of President Macron’s aide in France's south", "en")).toEqual([
      ...["macron", "france"],
    ]);
  });

  test("in German only sequences and abbreviations", () => {
    expect(nameFinder([]).namesIn("Die EZB und der Minister Boris Pistorius beraten über Zinsen", "de")).toEqual([
      ...["ezb", "boris pistorius"],
    ]);
  });

  test("none in scripts without capitals", () => {
    expect(nameFinder([]).namesIn("双方同意停火三天", "zh")).toEqual([]);
    expect(nameFinder([]).namesIn("بدء محادثات وقف إطلاق النار", "ar")).toEqual([]);
  });

  test("each once, at most six", () => {
    expect(nameFinder([]).namesIn("x: of Ab, Ab, Cd, Ef, Gh, Ij, Kl, Mn", "en").length).toBeLessThanOrEqual(6);
  });
});
