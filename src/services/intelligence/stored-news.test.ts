import { describe, expect, test } from "vitest";
import type { Snapshot } from "../../contract/snapshot.js";
import { mentionsOf } from "./country-mentions.js";
import { type HeadlineDigest, headlinesOf } from "./stored-news.js";

const story = (link: string, importanceScore: number, publishedAt = 1) => ({
  ...{ title: link, source: "Example Times", link, publishedAt, importanceScore },
});

const digest = (state: "ok" | "partial" | "stale"): Snapshot<HeadlineDigest> => ({
  ...{
    available: true,
    state,
    generation: 1,
    contentHash: "",
    builtAt: 0,
    checkedAt: 0,
    newestAt: 0,
    nextBuildAt: null,
  },
  parts: {},
  view: {
    categories: {
      politics: { items: [story("a", 10), story("b", 30, 1), story("c", 30, 2)] },
      crisis: { items: [story("b", 30, 1), story("d", 99), story("e", 10)] },
    },
  },
});

test("the headlines of a digest are each there once, the most important and then the newest first", () => {
  expect(headlinesOf(digest("ok")).map(({ link }) => link)).toEqual(["d", "c", "b", "a", "e"]);
  expect(headlinesOf(digest("partial"))).toHaveLength(5);
});

test("a stale digest and none have no headlines", () => {
  expect(headlinesOf(digest("stale"))).toEqual([]);
  expect(headlinesOf(undefined)).toEqual([]);
  expect(headlinesOf({ available: false, state: "absent", reason: "never built" })).toEqual([]);
});

describe("a title names a country", () => {
  test.each([
    ["UA", "Ukraine closes its airspace", true],
    ["UA", "In ukraine's east", true],
    ["UA", "UA: airspace closed", true],
    ["UA", "Ukrainewide", false],
    ["UA", "The quality of air", false],
    ["IN", "Rain in Spain", false],
    ["CI", "Côte d'Ivoire votes", true],
    ["CI", "The CIA speaks", false],
  ])("%s in %j: %s", (code, title, expected) => {
    expect(mentionsOf(code)(title).includes(code)).toBe(expected);
  });
});
