import { expect, test } from "vitest";
import { feedCatalogue } from "./feed-catalogue.js";
import { allFeeds, topicFeeds } from "./topic-feeds.js";

test("no two collected feeds have the same id or the same address", () => {
  expect(new Set(allFeeds.map(({ id }) => id)).size).toBe(allFeeds.length);
  expect(new Set(allFeeds.map(({ url }) => url)).size).toBe(allFeeds.length);
});

test("a catalogue feed that is also a topic feed keeps its placements in the digests", () => {
  const listed = feedCatalogue.find(({ id }) => id === "earth-observatory");
  const feed = allFeeds.find(({ id }) => id === "earth-observatory");
  expect(feed).toEqual({ ...listed, hasAllTexts: true, isOpen: true });
});

test("a topic feed that is not in the catalogue is in no digest", () => {
  const ids = new Set(feedCatalogue.map(({ id }) => id));
  for (const { id, placements } of topicFeeds) if (!ids.has(id)) expect(placements).toEqual([]);
});
