import { cutText } from "../kit/cut-text.js";
import { canonicalLink } from "./canonical-link.js";
import { type Entries, type Entry, EXPECTED, FeedUnreadable } from "./entry.js";
import { feedDate } from "./feed-date.js";
import { jsonEntries } from "./json-entries.js";
import { plainText } from "./plain-text.js";
import { xmlEntries } from "./xml-entries.js";

/**
 * One entry of a feed, as plain text. A missing title is replaced with the beginning of the summary. A missing summary
 * is empty; any other missing or unreadable value is undefined.
 */
export interface FeedItem {
  readonly title: string;
  /** Canonical address, http(s) only. */
  readonly link: string | undefined;
  /** The publisher's own id. */
  readonly id: string | undefined;
  /** Epoch ms. */
  readonly publishedAt: number | undefined;
  readonly summary: string;
  /** Address of the entry's picture, http(s) only. */
  readonly image: string | undefined;
}

export interface Feed {
  readonly kind: Entries["kind"];
  readonly title: string;
  readonly language: string | undefined;
  /** The items, at most as many as requested. */
  readonly items: readonly FeedItem[];
  /** Number of entries in the feed. */
  readonly itemsTotal: number;
}

export { FeedUnreadable };

export interface FeedOptions {
  /** Address of the feed, the base of relative links. */
  readonly base?: string;
  /** Default 500. */
  readonly itemsMax?: number;
  /**
   * Number of newest items that get a summary. Default: all. An older item has the summary "", unless it has no title:
   * then its summary is read, because the title is made from it.
   */
  readonly summariesMax?: number;
}

const ITEMS_MAX = 500;
const LENGTHS = { title: 500, summary: 2_000, id: 500, language: 35 };

/** Reads RSS 0.9x, 1.0 (RDF) and 2.0, Atom 0.3 and 1.0, and JSON Feed. Throws only `FeedUnreadable`. */
export function readFeed(text: string, options: FeedOptions = {}): Feed {
  const { base, itemsMax = ITEMS_MAX, summariesMax = itemsMax } = options;
  const { kind, title, language, entries, entriesTotal } = read(text, { base, entriesMax: itemsMax });
  const dated = entries.map((entry) => ({ entry, publishedAt: firstOf(entry.dates, feedDate) }));
  const summarised = newest(dated, summariesMax);
  return {
    kind,
    title: plainText(title, LENGTHS.title),
    language: language === "" ? undefined : language.slice(0, LENGTHS.language),
    items: dated.flatMap((entry) => itemOf(entry, summarised.has(entry)) ?? []),
    itemsTotal: entriesTotal,
  };
}

function read(text: string, options: Parameters<typeof xmlEntries>[1]): Entries {
  const [start = ""] = /[^\s\ufeff]/.exec(text) ?? [];
  if (start === "<") return xmlEntries(text, options);
  if (start === "{" || start === "[") return jsonEntries(text, options);
  const content =
    start === "" ? "empty" : `neither XML nor JSON (begins with ${JSON.stringify(text.trim().slice(0, 40))})`;
  throw new FeedUnreadable(`the document is ${content}; ${EXPECTED}`);
}

interface DatedEntry {
  readonly entry: Entry;
  readonly publishedAt: number | undefined;
}

/** The newest entries, at most `most`. Undated entries rank as the oldest. */
function newest(entries: readonly DatedEntry[], most: number): ReadonlySet<DatedEntry> {
  if (entries.length <= most) return new Set(entries);
  const inTime = entries.toSorted((left, right) => (right.publishedAt ?? 0) - (left.publishedAt ?? 0));
  return new Set(inTime.slice(0, most));
}

function itemOf({ entry, publishedAt }: DatedEntry, hasSummary: boolean): FeedItem | undefined {
  const { base, id, links, images } = entry;
  const ownTitle = plainText(entry.title, LENGTHS.title);
  const summary = hasSummary || ownTitle === "" ? plainText(entry.summary(), LENGTHS.summary) : "";
  const title = ownTitle || cutText(summary, TITLE_FROM_SUMMARY);
  const link = firstOf(links, (address) => canonicalLink(address, base));
  if (title === "" && link === undefined) return undefined;
  return {
    title,
    link,
    summary,
    id: id === "" ? undefined : id.slice(0, LENGTHS.id),
    publishedAt,
    image: firstOf(images, (address) => canonicalLink(address, base)),
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
