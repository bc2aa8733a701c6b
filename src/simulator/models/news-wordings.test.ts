import { describe, expect, test } from "vitest";
import { newsKinds } from "./news-kinds.js";
import { wordedLanguages, wordingsOf } from "./news-wordings.js";

test("English has at least one wording without a city for every kind", () => {
  const { byKind } = wordingsOf("en");
  expect([...byKind.keys()].sort()).toEqual(newsKinds.map(({ name }) => name).sort());
  const onlyWithCity = [...byKind].filter(([, texts]) => texts.every((text) => text.includes("{t}")));
  expect(onlyWithCity).toEqual([]);
});

test("a language without wordings uses English", () => {
  expect(wordingsOf("xx")).toBe(wordingsOf("en"));
});

describe.each(wordedLanguages)("the language %s", (language) => {
  const { note, byKind } = wordingsOf(language);

  test("has a note that marks reports as simulated, and at least two wordings for each of ten kinds", () => {
    expect(note).not.toBe("");
    expect([...byKind.keys()]).toEqual(
      expect.arrayContaining(
        ["quake", "flood", "strike", "election", "protest", "talks", "rates", "stocks", "outbreak", "ai"], //
      ),
    );
    for (const texts of byKind.values()) expect(texts.length).toBeGreaterThanOrEqual(2);
  });

  test("every wording has the placeholder for the country, and none has an unknown placeholder", () => {
    for (const text of [...byKind.values()].flat()) {
      expect(text).toContain("{c}");
      expect(text.match(/\{(?![ctnm]\})/g)).toBeNull();
    }
  });
});
