import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../kit/clock.js";
import type { NewsFeed } from "./models/headlines.js";
import { isWellFormed, type Started, started } from "./testing/harness.js";

const NOW = "2026-11-18T12:01:00Z";

function feed(url: string, language = "en", categories: readonly string[] = ["politics"]): NewsFeed {
  return { url, publisher: `Publisher of ${url}`, language, categories };
}

/** Enough feeds to include every dialect. */
const many = Array.from({ length: 40 }, (_, number) => feed(`https://paper${number}.example/feed`));
const ROW = /<(?:item|entry)[ >]|"date_published"/g;

const rows = (text: string): number => text.match(ROW)?.length ?? 0;
const dialectOf = (text: string): string => /<rss version="[\d.]+"|<rdf:RDF|<feed|jsonfeed\.org/.exec(text)?.[0] ?? "";

async function bodies(simulator: Started, feeds: readonly NewsFeed[]): Promise<readonly string[]> {
  return await Promise.all(feeds.map(async ({ url }) => (await simulator.text(url)).replaceAll("\0", "")));
}

test("every feed is well-formed in its own dialect, has rows, and is marked as simulated in title, link and text", async () => {
  const texts = await bodies(await started(NOW, { newsFeeds: many }), many);
  expect(new Set(texts.map(dialectOf))).toEqual(
    new Set(['<rss version="2.0"', '<rss version="0.91"', "<rdf:RDF", "<feed", "jsonfeed.org"]),
  );
  for (const text of texts) {
    if (!text.startsWith("{")) expect(isWellFormed(text.replaceAll(/<!\[CDATA\[[\s\S]*?\]\]>/g, ""))).toBe(true);
    expect(text).toContain("Simulated feed of Publisher");
    const marks = text.match(/example\/simulated\//g)?.length ?? 0;
    expect(marks).toBeGreaterThanOrEqual(rows(text));
    expect(text.match(/Simulated\. This report is made up/g)?.length ?? 0).toBeGreaterThanOrEqual(rows(text));
  }
});

test("a feed depends only on the seed and the five-minute slot", async () => {
  const simulator = await started(NOW, { newsFeeds: many });
  const same = await started("2026-11-18T12:04:59Z", { newsFeeds: many });
  expect(await bodies(same, many)).toEqual(await bodies(simulator, many));
  const other = await started(NOW, { newsFeeds: many, seed: 8 });
  expect(await bodies(other, many)).not.toEqual(await bodies(simulator, many));
});

test("a feed answers 304 while its items are unchanged, and 200 once it has newer items", async () => {
  const simulator = await started(NOW, { newsFeeds: many });
  const answers = await Promise.all(many.map(async ({ url }) => [url, await simulator.get(url)] as const));
  const tagged = answers.flatMap(([url, { headers }]) => {
    const etag = headers.get("etag");
    return etag === null ? [] : [{ url, etag }];
  });
  expect(tagged.length).toBeGreaterThan(many.length / 2);
  const statuses = async () =>
    await Promise.all(
      tagged.map(async ({ url, etag }) => (await simulator.get(url, { "If-None-Match": etag })).status),
    );
  expect(new Set(await statuses())).toEqual(new Set([304]));
  simulator.clock.advance(6 * 60 * MINUTE_MS);
  expect(await statuses()).toContain(200);
});

test("feeds with the same path are distinguished by their query; a path with only one feed accepts any query", async () => {
  const newsFeeds = [
    feed("https://a.example/rss?c=1"),
    feed("https://a.example/rss?c=2"),
    feed("https://b.example/rss"),
  ];
  const simulator = await started(NOW, { newsFeeds });
  const [first, second] = await bodies(simulator, newsFeeds);
  expect(first).not.toBe(second);
  expect((await simulator.get("https://a.example/rss?c=3")).status).toBe(404);
  expect((await simulator.get("https://b.example/rss?c=3")).status).toBe(200);
});

test("an upstream that another simulator module defines keeps its addresses, even if a news feed has the same address", async () => {
  const url = "https://www.carbonbrief.org/feed";
  const [own, shared] = [await started(NOW), await started(NOW, { newsFeeds: [feed(url), ...many] })];
  expect(await shared.text(url)).toBe(await own.text(url));
});

describe("variants", () => {
  test.each([
    ["empty", (text: string) => expect(rows(text)).toBe(0)],
    ["changed", (text: string) => expect(text).not.toMatch(/<rss|<feed|<rdf:RDF|"items"/)],
    ["bad-row", (text: string) => expect(text).toContain("the other day")],
  ] as const)("the '%s' fault affects every dialect and encoding", async (kind, check) => {
    const newsFeeds = [...many, ...many.map(({ url }) => feed(url.replace("paper", "zeitung"), "ru"))];
    const simulator = await started(NOW, { newsFeeds });
    simulator.faults.set({ upstream: "news-publishers" }, { kind });
    for (const text of await bodies(simulator, newsFeeds)) check(text);
  });
});

test("the 'redirect' fault makes a feed redirect to another address", async () => {
  const simulator = await started(NOW, { newsFeeds: many });
  simulator.faults.set({ upstream: "paper1.example" }, { kind: "redirect", to: "https://paper2.example/feed" });
  const answer = await fetch(`${simulator.baseUrl}/paper1.example/feed`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://paper2.example/feed"]);
});
