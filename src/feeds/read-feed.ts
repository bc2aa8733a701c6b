import { parseFeed } from "feedsmith";
import { canonicalLink } from "./canonical-link.js";
import { type Entry, entriesOf, feedTitle } from "./entries.js";
import { feedDate } from "./feed-date.js";
import { plainText } from "./plain-text.js";

/** One entry of a feed, as plain text. What is missing, or written so that it cannot be read, is undefined. */
export interface FeedItem {
  readonly title: string;
  /** Canonical address, http(s) only. */
  readonly link: string | undefined;
  /** The publisher's own id. */
  readonly id: string | undefined;
  /** Epoch ms. */
  readonly publishedAt: number | undefined;
  readonly summary: string;
  /** Address of its picture, http(s) only. */
  readonly image: string | undefined;
}

export interface Feed {
  readonly kind: "rss" | "rdf" | "atom" | "json";
  readonly title: string;
  readonly language: string | undefined;
  /** At most as many as were asked for. */
  readonly items: readonly FeedItem[];
  /** How many entries the feed has. */
  readonly itemsTotal: number;
}

/** A text that is no feed, or not all of one. The message says what was found and what was expected. */
export class FeedUnreadable extends Error {
  override readonly name = "FeedUnreadable";
}

export interface FeedOptions {
  /** Address of the feed, against which relative links are resolved. */
  readonly base?: string;
  /** Default 500. */
  readonly itemsMax?: number;
}

const ITEMS_MAX = 500;
const LENGTHS = { title: 500, summary: 2_000, id: 500, language: 35 };

/** Reads RSS 0.9x, 1.0 (RDF) and 2.0, Atom 0.3 and 1.0, and JSON Feed. Throws `FeedUnreadable` and nothing else. */
export function readFeed(text: string, { base, itemsMax = ITEMS_MAX }: FeedOptions = {}): Feed {
  refuseBroken(text);
  const { format, feed } = parsed(text);
  const entries = entriesOf(format, feed);
  const original = originalLinks(text, entries.length);
  const items = entries.slice(0, itemsMax).flatMap((entry, index) => itemOf(entry, original[index], base) ?? []);
  const { title, language } = feedTitle(feed);
  return {
    kind: format,
    title: plainText(title, LENGTHS.title),
    language: language === "" ? undefined : language.slice(0, LENGTHS.language),
    items,
    itemsTotal: entries.length,
  };
}

const EXPECTED = "expected RSS, RDF, Atom or JSON Feed";
const ROOT =
  /^(?:\ufeff|\s|<\?[^>]{0,1000}\?>|<!--(?:(?!-->)[\s\S]){0,5000}-->|<!DOCTYPE[^[>]{0,500}>)*<([\w.-]{1,40}:)?([\w.-]{1,40})/i;
const roots: ReadonlySet<string> = new Set(["rss", "rdf", "feed"]);

/** Refuses what a tolerant parser would take for an empty or shorter feed. */
function refuseBroken(text: string): void {
  if (/^\s*\{/.test(text)) return;
  if (/<!ENTITY/i.test(text))
    throw new FeedUnreadable(`the document declares entities of its own; ${EXPECTED} without`);
  const [start, , root = ""] = ROOT.exec(text.slice(0, 20_000)) ?? [];
  if (start === undefined || !roots.has(root.toLowerCase())) {
    const found = root === "" ? "no element" : `the element ${root}`;
    throw new FeedUnreadable(`the document begins with ${found}; ${EXPECTED}`);
  }
  const end = text.slice(-5_000).toLowerCase();
  const closing = new RegExp(`</(?:[\\w.-]{1,40}:)?${root.toLowerCase()}\\s*>`);
  if (!closing.test(end)) throw new FeedUnreadable(`the document breaks off before </${root}>; expected all of it`);
}

function parsed(text: string): { format: Feed["kind"]; feed: unknown } {
  try {
    return parseFeed(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 100) : String(error);
    throw new FeedUnreadable(`the document is no feed (${reason}); ${EXPECTED}`);
  }
}

/**
 * The publisher's own address of each entry, where the feed was passed through a counting service that put its own in
 * `link`; the parser does not know that namespace.
 */
function originalLinks(text: string, count: number): readonly (string | undefined)[] {
  if (!text.includes(":origLink>")) return [];
  const entries = text.match(/<(item|entry)[\s>][\s\S]*?<\/\1>/g) ?? [];
  if (entries.length !== count) return [];
  return entries.map((entry) =>
    /<[\w.-]{1,40}:origLink>\s*([^<]{1,2048}?)\s*</.exec(entry)?.[1]?.replaceAll("&amp;", "&"),
  );
}

function itemOf(entry: Entry, original: string | undefined, base: string | undefined): FeedItem | undefined {
  const summary = plainText(entry.summary, LENGTHS.summary);
  const title = plainText(entry.title, LENGTHS.title) || summary.slice(0, TITLE_FROM_SUMMARY).trimEnd();
  const links = original === undefined ? entry.links : [original, ...entry.links];
  const link = firstOf(links, (address) => canonicalLink(address, base));
  if (title === "" && link === undefined) return undefined;
  return {
    title,
    link,
    id: entry.id === "" ? undefined : entry.id.slice(0, LENGTHS.id),
    publishedAt: firstOf(entry.dates, feedDate),
    summary,
    image: firstOf(entry.images, (address) => canonicalLink(address, base)),
  };
}

const TITLE_FROM_SUMMARY = 120;

function firstOf<T>(texts: readonly string[], read: (text: string) => T | undefined): T | undefined {
  for (const text of texts) {
    const value = read(text);
    if (value !== undefined) return value;
  }
  return undefined;
}
