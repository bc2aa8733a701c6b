import { expect, test } from "vitest";
import { threatLanguages, threatWords } from "./threat-words.js";

test.each([...threatLanguages].sort())("the words of %s speak for known classes", (language) => {
  expect(Object.keys(threatWords(language)).length).toBeGreaterThan(10);
});

test("every language of the digest's larger lists is there", () => {
  for (const language of ["de", "en", "es", "fr", "pt"]) expect(threatLanguages).toContain(language);
});
