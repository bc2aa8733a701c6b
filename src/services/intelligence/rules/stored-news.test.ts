import { expect, test } from "vitest";
import type { AvailableSnapshot } from "../../../contract/snapshot.js";
import type { EvidenceIngredients } from "./evidence/ingredients.js";
import { type HeadlineDigest, headlinesOf, newsEvidence } from "./stored-news.js";

const story = (link: string, importanceScore: number, publishedAt = 1, storyId = link) => ({
  title: `Mali ${link}`,
  source: "Example Times",
  link: `https://news.example/${link}`,
  publishedAt,
  importanceScore,
  storyId,
});

const digest = (state: "ok" | "partial" | "stale"): AvailableSnapshot<HeadlineDigest> => ({
  available: true,
  state,
  generation: 1,
  contentHash: "",
  builtAt: 0,
  checkedAt: 0,
  newestAt: 0,
  nextBuildAt: null,
  attempt: null,
  parts: {},
  view: {
    categories: {
      politics: { items: [story("a", 10), story("b", 30, 1), story("c", 30, 2)] },
      crisis: { items: [story("b", 30, 1), story("d", 99), story("e", 10), story("d2", 20, 9, "d")] },
    },
  },
});

/** Returns the titles of the headlines about a country if this digest is the only ingredient. */
function titlesOn(code: string, digest: AvailableSnapshot<HeadlineDigest> | { readonly available: false }) {
  const subject = { code, name: code, inText: code };
  // The cast is safe, because the rule reads only the digest.
  return newsEvidence(subject, { digest } as unknown as EvidenceIngredients).map(({ value }) => value);
}

test("each story yields its most important headline; headlines are sorted by importance, then newest first", () => {
  const links = headlinesOf(digest("ok").view).map(({ title }) => title.slice(5));
  expect(links).toEqual(["d", "c", "b", "a", "e"]);
});

test("the headlines of a complete or partial digest are evidence on the countries that they name", () => {
  expect(titlesOn("ML", digest("ok"))).toHaveLength(5);
  expect(titlesOn("ML", digest("partial"))).toHaveLength(5);
  expect(titlesOn("FR", digest("ok"))).toEqual([]);
});

test("a stale or absent digest yields no headlines", () => {
  expect(titlesOn("ML", digest("stale"))).toEqual([]);
  expect(titlesOn("ML", { available: false })).toEqual([]);
});
