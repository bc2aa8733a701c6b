import { describe, expect, test } from "vitest";
import { feedCatalogue } from "./feed-catalogue.js";
import { applyFeedOverrides, overridesWithout, parseFeedOverrides } from "./feed-overrides.js";
import type { FeedRow } from "./feed-row.js";

const row = {
  id: "daily-example",
  publisher: "The Daily Example",
  family: "example-group",
  homepage: "https://daily.example.org/",
  url: "https://daily.example.org/feed.xml",
  country: "GB",
  kind: "other",
  risk: { profile: "unknown" },
  placements: [{ variant: "full", category: "europe" }],
};

const apply = (value: unknown): typeof feedCatalogue => applyFeedOverrides(feedCatalogue, parseFeedOverrides(value));
const idsOf = (feeds: typeof feedCatalogue): readonly string[] => feeds.map(({ id }) => id);

test("empty overrides leave the list unchanged", () => {
  expect(apply({})).toEqual(feedCatalogue);
});

test("an added feed goes to the end of the list, with the tier of its kind", () => {
  const feeds = apply({ add: [row, { ...row, id: "second", url: "https://second.example.org/feed", kind: "wire" }] });
  expect(feeds.slice(0, -2)).toEqual(feedCatalogue);
  expect(feeds.slice(-2).map(({ id, tier, tierSetBy }) => [id, tier, tierSetBy])).toEqual([
    ["daily-example", 4, "rule"],
    ["second", 1, "rule"],
  ]);
});

test("a feed is removed by its id", () => {
  const feeds = apply({ remove: ["bbc-world", "guardian-world"] });
  expect(feeds).toHaveLength(feedCatalogue.length - 2);
  expect(idsOf(feeds)).not.toContain("bbc-world");
});

test("an operator's tier is marked and does not change the kind", () => {
  const feeds = apply({ add: [row], retier: { "bbc-world": 1, "daily-example": 3 } });
  expect(feeds.find(({ id }) => id === "bbc-world")).toMatchObject({ kind: "major", tier: 1, tierSetBy: "operator" });
  expect(feeds.at(-1)).toMatchObject({ kind: "other", tier: 3, tierSetBy: "operator" });
  expect(feeds.filter(({ tierSetBy }) => tierSetBy === "operator")).toHaveLength(2);
});

test("a feed is replaced if its id is both removed and added", () => {
  const feeds = apply({ add: [{ ...row, id: "bbc-world" }], remove: ["bbc-world"] });
  expect(feeds).toHaveLength(feedCatalogue.length);
  expect(feeds.at(-1)?.publisher).toBe("The Daily Example");
});

test("the overrides do not modify the original list", () => {
  const before = structuredClone(feedCatalogue);
  apply({ add: [row], remove: ["bbc-world"], retier: { "guardian-world": 4 } });
  expect(feedCatalogue).toEqual(before);
});

describe("invalid overrides are rejected with a message that gives the expected form", () => {
  test.each<[string, unknown, string]>([
    ["a list instead of an object", [], "must be an object with add, remove, retier, got []"],
    ["an unknown member", { removed: [] }, "removed is an unknown member; the known members are add, remove, retier"],
    ["add without a list", { add: row }, "add must be a list of feeds, each with all required members, got {"],
    ["remove without a list", { remove: "bbc-world" }, 'remove must be a list of ids, got "bbc-world"'],
    ["retier without an object", { retier: ["bbc-world"] }, 'retier must be an object from ids to tiers, got ["bbc-'],
    ["a fifth tier", { retier: { "bbc-world": 5 } }, "retier of bbc-world must be one of 1, 2, 3, 4, got 5"],
    ["a tier as a string", { retier: { "bbc-world": "1" } }, 'retier of bbc-world must be one of 1, 2, 3, 4, got "1"'],
    [
      "a row with a bad address",
      { add: [row, { ...row, url: "feed://x" }] },
      'add[1] (daily-example): url must be an http or https address without a user, got "feed://x"',
    ],
    ["a row without an id", { add: [{}] }, "add[0]: id must be lower-case letters and digits"],
    ["null instead of a row", { add: [null] }, "add[0]: must be an object with id, publisher,"],
    [
      "a category that the variant does not have",
      { add: [{ ...row, placements: [{ variant: "finance", category: "oil" }] }] },
      "add[0] (daily-example): placements[0].category must be a category of finance (markets, forex,",
    ],
    [
      "an id that is taken",
      { add: [{ ...row, id: "bbc-world" }] },
      "add[0] (bbc-world): id must be new, and this one is taken; name it in remove as well to replace it",
    ],
    [
      "one id added twice",
      { add: [row, { ...row, url: "https://other.example.org/" }] },
      "add[1] (daily-example): id must be new",
    ],
    [
      "an address that the catalogue has in another spelling",
      { add: [{ ...row, url: "http://theguardian.com/world/rss/" }] },
      "add[0] (daily-example): url must be new, and guardian-world has it already",
    ],
    [
      "an unknown id to remove",
      { remove: ["guardian"] },
      'remove[0] must name a feed of the catalogue, got "guardian"; similar ids are guardian-world, guardian-ng, guardian-space',
    ],
    [
      "an unknown id without a similar one",
      { remove: ["zzz"] },
      'remove[0] must name a feed of the catalogue, got "zzz"',
    ],
    [
      "a tier for a removed feed",
      { remove: ["bbc-world"], retier: { "bbc-world": 1 } },
      'retier must name a feed of the catalogue, got "bbc-world"',
    ],
  ])("%s", (_, value, sentence) => {
    expect(() => apply(value)).toThrow("feed overrides: ");
    expect(() => apply(value)).toThrow(sentence);
  });

  test("all problems are reported together, one line each", () => {
    const wrong = (): unknown =>
      apply({ remove: ["zzz", "yyy"], retier: { xxx: 2 }, add: [{ ...row, id: "bbc-world" }] });
    expect(wrong).toThrow(/remove\[0\].*\n.*remove\[1\].*\n.*add\[0\].*\n.*retier/);
  });
});

const rowOf = (id: string): FeedRow => ({
  id,
  publisher: id,
  family: id,
  homepage: "https://a.example",
  url: `https://${id}.example/rss`,
  country: "GB",
  kind: "other",
  risk: { profile: "unknown" },
  placements: [{ variant: "full", category: "politics" }],
});

describe("overrides that exclude dead feeds", () => {
  test("remove dead built-in feeds in addition to the operator's removals", () => {
    expect(overridesWithout(new Set(["b", "a"]), { remove: ["c", "a"] })).toEqual({ remove: ["a", "b", "c"] });
  });

  test("skip a dead feed of the operator and still remove the feed that it replaced", () => {
    const overrides = { add: [rowOf("mine"), rowOf("other")], remove: ["mine"] };
    expect(overridesWithout(new Set(["mine"]), overrides)).toEqual({ add: [rowOf("other")], remove: ["mine"] });
  });

  test("set no tier for a dead feed", () => {
    const overrides = { retier: { a: 1, b: 2 } } as const;
    expect(overridesWithout(new Set(["a"]), overrides)).toEqual({ remove: ["a"], retier: { b: 2 } });
  });

  test("equal the operator's overrides if no feed is dead", () => {
    expect(overridesWithout(new Set(), {})).toEqual({});
    const overrides = { add: [rowOf("mine")], remove: ["x"], retier: { y: 4 as const } };
    expect(overridesWithout(new Set(), overrides)).toEqual(overrides);
  });
});
