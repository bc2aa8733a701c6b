import {
  type Entries,
  type EntriesOptions,
  type Entry,
  EXPECTED,
  FeedUnreadable,
  firstNotEmpty,
  isNotEmpty,
} from "./entry.js";

/** Reads JSON Feed 1 and 1.1. Throws `FeedUnreadable` for other JSON and for text that is not JSON. */
export function jsonEntries(text: string, { base, entriesMax }: EntriesOptions): Entries {
  const feed = parsed(text);
  const items = at(feed, "items");
  if (!/^https?:\/\/(?:www\.)?jsonfeed\.org\/version\//.test(textAt(feed, "version")) || !Array.isArray(items)) {
    throw new FeedUnreadable(`the document is JSON of another kind (${shapeOf(feed)}); ${EXPECTED}`);
  }
  return {
    kind: "json",
    title: textAt(feed, "title"),
    language: textAt(feed, "language"),
    entries: items.slice(0, entriesMax).map((item) => entryOf(item, base)),
    entriesTotal: items.length,
  };
}

function parsed(text: string): unknown {
  try {
    // Trimming also removes a byte order mark.
    return JSON.parse(text.trim());
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 100) : String(error);
    throw new FeedUnreadable(`the document is not complete, valid JSON (${reason}); ${EXPECTED}`);
  }
}

function entryOf(item: unknown, base: string | undefined): Entry {
  return {
    title: textAt(item, "title"),
    id: textAt(item, "id"),
    base,
    links: [textAt(item, "url"), textAt(item, "external_url")].filter(isNotEmpty),
    dates: [textAt(item, "date_published"), textAt(item, "date_modified")].filter(isNotEmpty),
    summary: () => firstNotEmpty([textAt(item, "summary"), textAt(item, "content_text"), textAt(item, "content_html")]),
    images: [textAt(item, "image"), textAt(item, "banner_image")].filter(isNotEmpty),
  };
}

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  if (typeof value !== "object" || value === null) return `a ${value === null ? "null" : typeof value}`;
  const names = Object.keys(value);
  return names.length === 0 ? "an empty object" : `an object with ${names.slice(0, 3).join(", ").slice(0, 60)}`;
}

function at(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/**
 * Returns a member as text. Numbers are accepted too: publishers write ids as numbers, although the format requires
 * strings.
 */
function textAt(value: unknown, name: string): string {
  const member = at(value, name);
  if (typeof member === "number") return String(member);
  return typeof member === "string" ? member.trim() : "";
}
