import { describe, expect, test } from "vitest";
import { bareTitle, titleReader, titleWords } from "./story-title.js";

const keys = (title: string, language = "en"): string[] => titleWords(title, language).map(({ key }) => key);

describe("the bare title", () => {
  test.each([
    ["UPDATE 2-Rates held", "Rates held"],
    ["WRAPUP 1-Rates held", "Rates held"],
    ["LIVE: Rates held", "Rates held"],
    ["Breaking: Rates held", "Rates held"],
    ["Son dakika: Deprem oldu", "Deprem oldu"],
    ["速報：停電", "停電"],
    ["Rates held | Outlet X", "Rates held"],
    ["Rates held - Outlet A", "Rates held"],
    ["Rates held – outlet a", "Rates held"],
    ["Ruling party wins - provisional results", "Ruling party wins - provisional results"],
    ["Live music returns", "Live music returns"],
    ["Breaking:", "Breaking:"],
  ])("of %s has no label or source", (title, bare) => expect(bareTitle(title, "Outlet A")).toBe(bare));
});

describe("words", () => {
  test("with the same meaning have the same key", () => {
    expect(keys("Quake kills five")).toEqual(keys("Earthquake dead 5"));
    expect(keys("$4.2 bln deal")).toEqual(keys("$4.2 billion deal"));
  });

  test("lose case, diacritics, possessives and endings", () => {
    expect(keys("São Tomé’s results", "pt").slice(0, 3)).toEqual(keys("sao tome RESULTS", "pt"));
    expect(keys("Balıkesir'de deprem", "tr")).toEqual(keys("Balıkesir deprem", "tr"));
    expect(keys("Bilan de l’incendie", "fr")).toEqual(keys("bilan de incendies", "fr"));
    expect(keys("قصف على الفاشر", "ar")).toEqual(keys("قصف على فاشر", "ar"));
  });

  test("include whole and decimal numbers in any notation", () => {
    const kinds = (title: string, language: string): string[] =>
      titleWords(title, language).map(({ key, kind }) => `${kind} ${key}`);
    expect(kinds("7.1", "en")).toEqual(["decimal 7.1"]);
    expect(kinds("7,1", "es")).toEqual(["decimal 7.1"]);
    expect(kinds("10,000", "en")).toEqual(["number 10000"]);
    expect(kinds("2,0", "de")).toEqual(["decimal 2"]);
    expect(kinds("İki", "tr")).toEqual(["number 2"]);
    expect(kinds("одиннадцать", "ru")).toEqual(["number 11"]);
  });

  test("of scripts without spaces are character sequences", () => {
    expect(keys("广东暴雨致6人死亡", "zh")).toEqual(["广东", "东暴", "暴雨", "雨致", "6", "人死", "死亡"]);
    expect(keys("แผ่นดินไหว", "th").length).toBeGreaterThan(3);
    expect(keys("ー", "ja")).toEqual(["ー"]);
  });

  test("include the initials of sequences of capitalised words", () => {
    const initials = (title: string): string[] =>
      titleWords(title, "en").flatMap(({ kind, key }) => (kind === "initials" ? [key] : []));
    expect(initials("European Central Bank holds")).toEqual(["ecb"]);
    expect(initials("Bank of England holds")).toEqual(["be"]);
    expect(initials("rates held")).toEqual([]);
  });

  test("directly after a punctuation mark are treated as first words", () => {
    const [first, , third] = titleWords("Chile: a Quake", "en");
    expect(first?.isFirst).toBe(true);
    expect(third).toMatchObject({ isCapital: true, isFirst: false });
    expect(titleWords("Chile: Quake", "en")[1]?.isFirst).toBe(true);
  });

  test("are absent from a title without letters", () => expect(keys("… – !")).toEqual([]));

  test("are the same when a title reader extracts them", () => {
    const read = titleReader("en");
    for (const title of ["Five dead in Nepal", "Dead: Five"]) {
      expect(read(title, "")).toEqual(titleWords(title, "en"));
      expect(read(title, "")).toEqual(titleWords(title, "en"));
    }
  });
});
