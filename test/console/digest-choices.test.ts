import { expect, test } from "vitest";
import { digestVariants } from "../../src/services/news/catalogue/digest-variants.js";
import { digestLanguages } from "../../src/services/news/catalogue/feed-catalogue.js";
import { categoryName, LANGUAGES, VARIANTS } from "../../web/pages/digest/choices.js";

test("every language and every kind of the digest can be chosen", () => {
  expect(LANGUAGES).toEqual(digestLanguages);
  expect(VARIANTS.map(({ id }) => id)).toEqual(Object.keys(digestVariants));
});

test("a category id becomes a readable name", () =>
  expect(["politics", "base-metals", "regionalStartups"].map(categoryName)).toEqual([
    "World affairs",
    "Base metals",
    "Regional startups",
  ]));
