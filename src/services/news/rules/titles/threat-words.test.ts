import { expect, test } from "vitest";
import { threatLanguages, threatWords } from "./threat-words.js";

test.each([...threatLanguages].sort())("the word list of %s has over ten classes, all of them known", (language) => {
  expect(Object.keys(threatWords(language)).length).toBeGreaterThan(10);
});

test("German, English, Spanish, French and Portuguese have word lists", () => {
  for (const language of ["de", "en", "es", "fr", "pt"]) expect(threatLanguages).toContain(language);
});
