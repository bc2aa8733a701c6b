import { expect, test } from "vitest";
import { collectedFrom, entryOf } from "../../../../../test/support/collected-feeds.js";
import { settingReader } from "../../../../contract/setting.js";
import type { FeedEntry } from "../../../news/digest-records.js";
import { hostOf, knownPublishers } from "./known-publishers.js";

const NOW = Date.UTC(2026, 10, 22, 12);
const entry = (feed: string, link: string): FeedEntry => ({ ...entryOf(feed, link, NOW), link });
const publishersOf = (...entries: readonly FeedEntry[]) =>
  knownPublishers(collectedFrom(entries).view, settingReader({}));

test("a host in most links of a feed is assigned to the feed's publisher", () => {
  const publishers = publishersOf(
    entry("guardian-world", "https://www.theguardian.com/a"),
    entry("guardian-world", "https://theguardian.com/b"),
    entry("guardian-world", "https://elsewhere.example/c"),
  );
  expect([...publishers.keys()]).toEqual(["theguardian.com"]);
  expect(publishers.get("theguardian.com")).toMatchObject({ publisher: "The Guardian", isAuthority: true });
});

test("a host in the feeds of two publisher families is assigned to neither, and an unknown feed adds no host", () => {
  const link = "https://search.example/rss";
  expect([...publishersOf(entry("guardian-world", link), entry("bbc-world", link), entry("unknown", link))]).toEqual(
    [],
  );
});

test("a link that is not an address has no host", () => {
  expect(hostOf("nothing")).toBe("");
});
