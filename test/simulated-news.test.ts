import { beforeAll, describe, expect, test } from "vitest";
import { type Feed, readFeed } from "../src/feeds/read-feed.js";
import { countryName } from "../src/geography/countries.js";
import { HOUR_MS } from "../src/kit/clock.js";
import { manualClock } from "../src/kit/manual-clock.js";
import { digestLanguages, feedCatalogue } from "../src/services/news/catalogue/feed-catalogue.js";
import type { Feed as CatalogueFeed } from "../src/services/news/catalogue/feed-row.js";
import { publishedFeed } from "../src/services/news/catalogue/published-feeds.js";
import { newsCountries } from "../src/simulator/models/news-kinds.js";
import { wordedLanguages } from "../src/simulator/models/news-wordings.js";
import { startSimulator } from "../src/simulator/simulator.js";
import { textOf } from "../src/upstream/text.js";

const NOW = "2026-11-18T12:00:00Z";

interface Read {
  readonly feed: CatalogueFeed;
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly document: Feed;
}

async function readAt(baseUrl: string, feed: CatalogueFeed): Promise<Read> {
  const answer = await fetch(feed.url.replace(/^https?:\/(?=\/)/, baseUrl));
  const bytes = Buffer.from(await answer.arrayBuffer());
  const contentType = answer.headers.get("content-type") ?? "";
  const document = readFeed(textOf(bytes, contentType), { base: feed.url });
  return { feed, status: answer.status, contentType, bytes, document };
}

/** The catalogue as the demo's digest reads it. */
describe("the simulated catalogue", () => {
  let all: readonly Read[];
  /** The feeds that the simulated publishers answer. Other simulated upstreams answer a few feeds of the catalogue. */
  let own: readonly Read[];

  beforeAll(async () => {
    const clock = manualClock(Date.parse(NOW));
    const simulator = await startSimulator({ clock, seed: 1, newsFeeds: feedCatalogue.map(publishedFeed) });
    all = await Promise.all(feedCatalogue.map((feed) => readAt(simulator.baseUrl, feed)));
    await simulator.close();
    own = all.filter(({ document }) => document.title.startsWith("Simulated feed of ") && isOwn(document));
  });

  const isOwn = ({ items }: Feed): boolean => items.every(({ title }) => !title.startsWith("Simulated"));

  test("answers every feed, nearly all of them from the simulated publishers", () => {
    expect(all.filter(({ status }) => status !== 200).map(({ feed, status }) => [feed.url, status])).toEqual([]);
    expect(own.length).toBeGreaterThan(feedCatalogue.length - 10);
  });

  test("has headline texts in every language of the digest", () => {
    expect(digestLanguages.filter((language) => !wordedLanguages.includes(language))).toEqual([]);
  });

  test("has 5 to 30 items, newest first, in each feed that is not empty and has only dated items", () => {
    const regular = own.filter(({ document: { items } }) => items.length > 0 && items.every(isDated));
    expect(regular.length).toBeGreaterThan(own.length * 0.85);
    for (const { document } of regular) {
      const times = document.items.map(({ publishedAt = 0 }) => publishedAt);
      expect(times.length).toBeGreaterThanOrEqual(5);
      expect(times.length).toBeLessThanOrEqual(30);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
    }
  });

  const isDated = ({ publishedAt }: { readonly publishedAt: number | undefined }): boolean => publishedAt !== undefined;

  test("has the oddities of real feeds: an empty feed, an undated feed, undated items and a future date", () => {
    const items = own.map(({ document }) => document.items);
    expect(items.filter((list) => list.length === 0).length).toBeGreaterThan(0);
    expect(items.filter((list) => list.length > 0 && !list.some(isDated)).length).toBeGreaterThan(0);
    expect(items.filter((list) => list.some(isDated) && !list.every(isDated)).length).toBeGreaterThan(5);
    const ahead = Date.parse(NOW) + HOUR_MS;
    expect(items.filter((list) => list.some(({ publishedAt = 0 }) => publishedAt > ahead)).length).toBeGreaterThan(0);
  });

  test("uses every feed format and many encodings, declared correctly and wrongly", () => {
    expect(new Set(own.map(({ document }) => document.kind))).toEqual(new Set(["rss", "rdf", "atom", "json"]));
    const declared = own.map(
      ({ bytes }) => /encoding="([^"]+)"/.exec(bytes.toString("latin1").replaceAll("\0", ""))?.[1],
    );
    expect(new Set(declared).size).toBeGreaterThanOrEqual(7);
    const wrong = own.filter(({ contentType }, index) => /UTF-8/.test(contentType) && declared[index] !== "UTF-8");
    expect(wrong.length).toBeGreaterThan(3);
  });

  test("has plain-text titles and clean links, and marks every item as simulated", () => {
    for (const { document } of own) {
      for (const { title, link, summary } of document.items) {
        expect(title).not.toMatch(/[<>{}\ufffd]|&#?\w+;|undefined/);
        expect(link).toMatch(/^https?:\/\/[^/]+\/simulated\/[\w-]+$/);
        expect(summary).toMatch(/^Simulated\. ./);
      }
    }
  });

  test("has stories reported by many independent publishers and stories reported by few", () => {
    const families = new Map<string, Set<string>>();
    for (const { feed, document } of own) {
      for (const { link = "" } of document.items.slice(0, 5)) {
        const story = /-(\d+-\d+)-\d+$/.exec(link)?.[1] ?? "";
        families.set(story, (families.get(story) ?? new Set()).add(feed.family));
      }
    }
    const sizes = [...families.values()].map(({ size }) => size);
    expect(sizes.filter((size) => size >= 5).length).toBeGreaterThan(30);
    expect(sizes.filter((size) => size === 1).length).toBeGreaterThan(30);
    expect(Math.max(...sizes)).toBeLessThan(feedCatalogue.length / 3);
  });

  test("mentions nearly every larger country in an English headline", () => {
    const english = own.filter(({ feed }) => feed.language === undefined);
    const titles = english.flatMap(({ document }) => document.items.map(({ title }) => title)).join("\n");
    const mentioned = [...newsCountries.keys()].filter((code) => titles.includes(countryName(code) ?? code));
    expect(mentioned.length).toBeGreaterThan(newsCountries.size * 0.9);
  });
});
