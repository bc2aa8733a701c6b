import { DAY_MS } from "../kit/clock.js";
import type { Encoding } from "./encoding.js";
import { type DraftItem, type FeedDialect, feedDocument } from "./feed-document.js";
import { fnv1a, mixed } from "./models/hash.js";
import { type Headline, headlinesFor, type NewsFeed, SLOT_MS } from "./models/headlines.js";
import { newsUntil } from "./models/world-news.js";
import type { RouteTable } from "./route-table.js";
import {
  type BodyVariants,
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatedRoute,
  type SimulatedUpstream,
  simulatedUpstream,
} from "./upstream.js";

/**
 * Simulates the publishers of the given feeds. All publishers write about the same invented events, each in its own
 * language, feed dialect and encoding. Each oddity of real feeds occurs at some of the publishers. A feed at an address
 * that another simulated upstream already serves is left to that upstream.
 *
 * A feed is marked as simulated in its title, and an item in its address and at the beginning of its text. Headlines
 * are not marked, because a word shared by all headlines would make them look alike to the clustering.
 */
export function newsPublishers(feeds: readonly NewsFeed[], others: RouteTable): SimulatedUpstream {
  const byPlace = new Map<string, NewsFeed[]>();
  for (const feed of feeds) {
    const url = new URL(feed.url);
    if (others.find(url) !== undefined) continue;
    const place = url.host + url.pathname;
    byPlace.set(place, [...(byPlace.get(place) ?? []), feed]);
  }
  return simulatedUpstream({ name: "news-publishers", routes: [...byPlace.values()].flatMap(routeOf) });
}

/**
 * Creates the route of the feeds at one path. The query of a request selects the feed. If the path has only one feed,
 * every query selects it.
 */
function routeOf(feeds: readonly NewsFeed[]): readonly SimulatedRoute[] {
  const bySearch = new Map(feeds.map((feed) => [new URL(feed.url).search, answerer(feed)]));
  const [only] = bySearch.size === 1 ? bySearch.values() : [];
  return feeds.slice(0, 1).map(({ url }) => ({
    host: new URL(url).host,
    path: new URL(url).pathname,
    variants,
    handle: (request) => (bySearch.get(request.url.search) ?? only)?.(request) ?? nothing,
  }));
}

const nothing: SimulatedAnswer = { status: 404, contentType: "text/plain; charset=utf-8", body: "no such feed\n" };

/** Creates the handler of a feed. An answer is cached until the next time slot begins. */
function answerer(feed: NewsFeed): (request: SimulatedRequest) => SimulatedAnswer {
  const manner = mannerOf(feed);
  let kept: { readonly slot: string; readonly answer: SimulatedAnswer } | undefined;
  return ({ clock, seed }) => {
    const now = Math.floor(clock.now() / SLOT_MS) * SLOT_MS;
    const slot = `${seed}:${now}`;
    if (kept?.slot !== slot) kept = { slot, answer: answerOf(feed, manner, seed, now) };
    return kept.answer;
  };
}

/** The oddity of a feed. A feed has at most one. */
type Oddity = "undated" | "undated-item" | "future-item" | "empty" | "signed" | "none";

interface Manner {
  readonly dialect: FeedDialect;
  readonly encoding: Encoding | undefined;
  /**
   * The charset in the content type: right, wrong or absent. If it is absent, only the document names the encoding.
   * `wrong` states UTF-8 for a feed in a single-byte encoding, and the right charset for any other feed.
   */
  readonly charsetSaid: "right" | "none" | "wrong";
  readonly escapesTwice: boolean;
  readonly hasEtag: boolean;
  readonly hasLastModified: boolean;
  readonly oddity: Oddity;
}

const dialects: readonly FeedDialect[] = [
  "rss-2.0",
  "rss-2.0",
  "rss-2.0-cdata",
  "rss-2.0-cdata",
  "rss-2.0-cdata",
  "rss-2.0-media",
  "rss-2.0-media",
  "rss-2.0-dc",
  "atom",
  "atom",
  "rdf",
  "rss-0.91",
  "json",
] as readonly FeedDialect[];

const legacy: Readonly<Record<string, Encoding>> = {
  de: "ISO-8859-1",
  en: "ISO-8859-1",
  es: "ISO-8859-1",
  fr: "ISO-8859-1",
  it: "ISO-8859-1",
  nl: "ISO-8859-1",
  pt: "ISO-8859-1",
  sv: "ISO-8859-1",
  cs: "ISO-8859-2",
  hr: "ISO-8859-2",
  hu: "ISO-8859-2",
  pl: "ISO-8859-2",
  ro: "ISO-8859-2",
  bg: "windows-1251",
  ru: "windows-1251",
  uk: "windows-1251",
  el: "ISO-8859-7",
  tr: "windows-1254",
  ar: "windows-1256",
  fa: "windows-1256",
};

function mannerOf({ url, language }: NewsFeed): Manner {
  const hash = fnv1a(url);
  const choice = (aspect: number, of: number): number => mixed(hash, 100 + aspect) % of;
  const dialect = dialects[choice(0, dialects.length)] ?? "rss-2.0";
  const isOld = dialect !== "json" && choice(1, language === "en" ? 12 : 4) === 0;
  const charsets = ["none", "right", "none", "wrong"] as const;
  return {
    dialect,
    encoding: isOld ? (legacy[language] ?? "UTF-16") : undefined,
    charsetSaid: charsets[choice(2, charsets.length)] ?? "none",
    escapesTwice: choice(3, 7) === 0,
    hasEtag: choice(4, 4) > 0,
    hasLastModified: choice(5, 3) > 0,
    oddity: oddityOf(choice(6, 400)),
  };
}

/** Assigns an oddity to about one feed in seven. In a catalogue of 400 feeds, the rarest oddity occurs about once. */
function oddityOf(number: number): Oddity {
  if (number < 1) return "empty";
  if (number < 3) return "undated";
  if (number < 6) return "future-item";
  if (number < 40) return "undated-item";
  return number < 60 ? "signed" : "none";
}

function answerOf(feed: NewsFeed, manner: Manner, seed: number, now: number): SimulatedAnswer {
  const headlines = headlinesFor(feed, newsUntil(seed, now), now);
  const { dialect, encoding, escapesTwice, hasEtag, hasLastModified, oddity } = manner;
  const newestAt = headlines[0]?.at ?? now;
  const { contentType, text } = feedDocument({
    host: new URL(feed.url).host,
    publisher: feed.publisher,
    language: feed.language,
    dialect,
    charset: encoding ?? "UTF-8",
    escapesTwice,
    builtAt: newestAt,
    items: itemsWith(oddity, headlines, feed),
  });
  const charsets = { right: encoding ?? "UTF-8", wrong: encoding === "UTF-16" ? "UTF-16" : "UTF-8", none: undefined };
  const charset = charsets[manner.charsetSaid];
  return {
    status: 200,
    body: text,
    contentType: charset === undefined ? contentType : `${contentType}; charset=${charset}`,
    ...(encoding !== undefined && { encoding }),
    ...(hasEtag && { etag: true }),
    ...(hasLastModified && { lastModifiedAt: newestAt }),
  };
}

function itemsWith(oddity: Oddity, headlines: readonly Headline[], { publisher }: NewsFeed): readonly DraftItem[] {
  switch (oddity) {
    case "empty":
      return [];
    case "undated":
      return headlines.map((headline) => ({ ...headline, at: undefined }));
    case "undated-item":
      return headlines.map((headline, index) => (index === 2 ? { ...headline, at: undefined } : headline));
    case "future-item":
      return headlines.map((headline, index) =>
        index === 0 ? { ...headline, at: headline.at + 2 * DAY_MS } : headline,
      );
    case "signed":
      return headlines.map((headline) => ({ ...headline, title: `${headline.title} | ${publisher}` }));
    case "none":
      return headlines;
  }
}

const variants: BodyVariants = {
  changed: (text) =>
    isJson(text)
      ? text.replace('"items"', '"stories"').replace("jsonfeed.org", "simulated.invalid")
      : text.replaceAll(/<(\/?)(rss|feed|rdf:RDF)\b/g, "<$1newsletter"),
  empty: (text) =>
    isJson(text)
      ? `${JSON.stringify({ ...JSON.parse(text), items: [] })}\n`
      : text.replaceAll(/<(item|entry)[ >][\s\S]*?<\/\1>\n/g, ""),
  badRow: (text) =>
    rewriteMiddle(
      text,
      /<(pubDate|dc:date|published)>[^<]*|"date_published": "[^"]*/g,
      (date) => `${date.slice(0, date.search(/(?<=>|: ")/))}the other day`,
    ),
};

const isJson = (text: string): boolean => text.startsWith("{");
