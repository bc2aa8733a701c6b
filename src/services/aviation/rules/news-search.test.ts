import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { HOUR_MS } from "../../../kit/clock.js";
import type { AviationHeadline } from "../records/news-records.js";
import { newsItems, nextExpiry } from "./news-search.js";

const NOW = Date.UTC(2026, 10, 21, 9);

const headline = (changes: Partial<AviationHeadline> = {}): AviationHeadline => ({
  title: "Carrier orders jets",
  url: "https://x.test/a",
  sourceName: "X",
  publishedAt: NOW - HOUR_MS,
  teaser: "Twenty of them.",
  ...changes,
});

const search = (headlines: readonly AviationHeadline[], entities: readonly string[] = [], itemsMax = 20) =>
  newsItems(headlines, { entities, since: NOW - 24 * HOUR_MS, itemsMax });

test("an item has its publisher's text and an id derived from its whole link", () => {
  expect(search([headline({ imageUrl: "https://x.test/a.jpg" })])).toEqual([
    {
      id: createHash("sha256").update("https://x.test/a").digest("base64url").slice(0, 32),
      title: "Carrier orders jets",
      url: "https://x.test/a",
      sourceName: "X",
      publishedAt: NOW - HOUR_MS,
      snippet: "Twenty of them.",
      matchedEntities: [],
      imageUrl: "https://x.test/a.jpg",
    },
  ]);
});

test("items with similar links have different ids that are stable across builds", () => {
  const headlines = Array.from({ length: 500 }, (_, at) =>
    headline({ url: `https://www.example-publisher.test/aviation/2026/11/21/story-${at}` }),
  );
  const ids = search(headlines, [], 500).map(({ id }) => id);
  expect(new Set(ids).size).toBe(500);
  expect(search(headlines.toReversed(), [], 500).map(({ id }) => id)).toEqual(ids.toReversed());
  for (const id of ids) expect(id).toMatch(/^[\w-]{32}$/);
});

test("an item without a teaser has no snippet", () => {
  expect(search([headline({ teaser: "" })])[0]).not.toHaveProperty("snippet");
});

test.each([
  [200, "x".repeat(200)],
  [201, `${"x".repeat(199)}…`],
])("a teaser of %d characters becomes a snippet of at most 200; if cut, it ends in an ellipsis", (length, snippet) => {
  expect(search([headline({ teaser: "x".repeat(length) })])[0]?.snippet).toBe(snippet);
});

test("a snippet is cut between characters", () => {
  expect(Array.from(search([headline({ teaser: "✈️🛫".repeat(150) })])[0]?.snippet ?? "")).toHaveLength(200);
});

describe("the window", () => {
  test.each([
    ["at the beginning of the window", 1, 24 * HOUR_MS],
    ["a moment before the window", 0, 24 * HOUR_MS + 1],
    ["just now", 1, 0],
  ])("for a single item dated %s, the number of results is %d", (_name, count, ageMs) => {
    expect(search([headline({ publishedAt: NOW - ageMs })])).toHaveLength(count);
  });

  test("the answer is valid until the oldest item leaves the window", () => {
    const headlines = [1, 5, 23, 30].map((hours) => headline({ publishedAt: NOW - hours * HOUR_MS }));
    const until = nextExpiry(headlines, 24 * HOUR_MS, NOW);
    const count = (now: number): number =>
      newsItems(headlines, { entities: [], since: now - 24 * HOUR_MS, itemsMax: 50 }).length;
    expect(until).toBe(NOW + HOUR_MS + 1);
    expect([count(NOW), count(until - 1), count(until)]).toEqual([3, 3, 2]);
    expect(nextExpiry([], HOUR_MS, NOW)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("entities", () => {
  const headlines = [
    headline({ title: "LUFTHANSA and Swiss", url: "https://x.test/1" }),
    headline({ teaser: "Says lufthansa.", url: "https://x.test/2" }),
    headline({ title: "Delta grows", url: "https://x.test/3" }),
  ];

  test("entities are found in title and teaser, ignoring case; other items are left out", () => {
    expect(search(headlines, ["LUFTHANSA"]).map(({ url }) => url)).toEqual(["https://x.test/1", "https://x.test/2"]);
    expect(search(headlines, ["QANTAS"])).toEqual([]);
  });

  test("an item lists the requested entities that it mentions", () => {
    expect(search(headlines, ["SWISS", "DELTA", "LUFTHANSA"]).map(({ matchedEntities }) => matchedEntities)).toEqual([
      ["SWISS", "LUFTHANSA"],
      ["LUFTHANSA"],
      ["DELTA"],
    ]);
  });

  test("items are filtered by entity before the maximum number is applied", () => {
    expect(search(headlines, ["DELTA"], 1).map(({ url }) => url)).toEqual(["https://x.test/3"]);
    expect(search(headlines, [], 2)).toHaveLength(2);
  });

  test("an entity does not match across title and teaser", () => {
    expect(search([headline({ title: "Delta", teaser: "Air Lines" })], ["DELTAAIR LINES"])).toEqual([]);
  });
});
