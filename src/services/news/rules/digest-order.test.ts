import { expect, test } from "vitest";
import { byImportance, oncePerStory } from "./digest-order.js";

const item = (importanceScore: number, publishedAt: number, link: string, storyId = link, feed = "a") => ({
  importanceScore,
  publishedAt,
  link,
  feed,
  storyId,
});
const links = (items: readonly { readonly link: string }[]): string => items.map(({ link }) => link).join("");

test("items are ordered by importance, then newest first, then by link and feed", () => {
  const items = [item(1, 9, "e"), item(2, 1, "d"), item(2, 3, "c"), item(2, 3, "b"), item(3, 0, "a")];
  expect(links([...items].sort(byImportance))).toBe("abcde");
  expect([item(1, 1, "x", "s", "b"), item(1, 1, "x", "s", "a")].sort(byImportance)[0]?.feed).toBe("a");
});

test("the most important item of a story is kept, and the other items are counted", () => {
  const { kept, folded } = oncePerStory([item(1, 1, "a", "one"), item(5, 1, "b", "one"), item(3, 1, "c", "two")]);
  expect(links(kept)).toBe("bc");
  expect(folded).toBe(1);
});
