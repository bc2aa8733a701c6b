import { expect, test } from "vitest";
import type { Snapshot } from "../../../contract/snapshot.js";
import { type HeadlineDigest, headlinesOf } from "./stored-news.js";

const story = (link: string, importanceScore: number, publishedAt = 1, storyId = link) => ({
  title: link,
  source: "Example Times",
  link,
  publishedAt,
  importanceScore,
  storyId,
});

const digest = (state: "ok" | "partial" | "stale"): Snapshot<HeadlineDigest> => ({
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

test("each story of a digest yields its most important headline, ordered by importance and then newest first", () => {
  expect(headlinesOf(digest("ok")).map(({ link }) => link)).toEqual(["d", "c", "b", "a", "e"]);
  expect(headlinesOf(digest("partial"))).toHaveLength(5);
});

test("a stale or absent digest yields no headlines", () => {
  expect(headlinesOf(digest("stale"))).toEqual([]);
  expect(headlinesOf({ available: false, state: "absent", reason: "never built", attempt: null })).toEqual([]);
});
