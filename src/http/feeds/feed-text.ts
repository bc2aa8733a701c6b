import type { Feed, FeedEntry, FeedFormat, FeedHead } from "../../contract/feed.js";

/** The address of a feed. */
export interface FeedPlace {
  /** Origin at which callers reach this service, such as `https://vigil.example`. */
  readonly origin: string;
  /** Path and query of the feed itself. */
  readonly self: string;
}

const HTTP = /^https?:\/\//i;
const SIMULATED = "[simulated] ";

/** Writes a feed in one format: its start and end, each entry, and the text between two entries. */
interface FeedWriting {
  ends(feed: FeedHead, place: FeedPlace): readonly [head: string, tail: string];
  entry(feed: FeedHead, entry: FeedEntry, origin: string): string;
  readonly between: string;
}

export const feedWritings: Readonly<Record<FeedFormat, FeedWriting>> = {
  /** RFC 4287. */
  atom: { ends: atomEnds, entry: atomEntry, between: "" },
  /** https://www.jsonfeed.org/version/1.1/ */
  jsonfeed: { ends: jsonFeedEnds, entry: jsonFeedItem, between: "," },
};

/** Writes a short feed in one piece. */
export function feedText(format: FeedFormat, feed: Feed, place: FeedPlace): string {
  const { ends, entry, between } = feedWritings[format];
  const [head, tail] = ends(feed, place);
  return head + feed.entries.map((own) => entry(feed, own, place.origin)).join(between) + tail;
}

function atomEnds(feed: FeedHead, { origin, self }: FeedPlace): readonly [string, string] {
  const head = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${xml(feed.id)}</id>
<title>${xml(titleOf(feed, feed.title))}</title>
<subtitle>${xml(feed.description)}</subtitle>
<updated>${instant(feed.updatedAt)}</updated>
<author><name>Vigil</name></author>
<link rel="self" type="application/atom+xml" href="${xml(origin + self)}"/>
`;
  return [head, "</feed>\n"];
}

function atomEntry(feed: FeedHead, { id, title, text, link, at }: FeedEntry, origin: string): string {
  const address = addressOf(link, origin);
  return `<entry>
<id>${xml(id)}</id>
<title>${xml(titleOf(feed, title))}</title>
<updated>${instant(at)}</updated>
${address === undefined ? "" : `<link rel="alternate" href="${xml(address)}"/>\n`}<content type="text">${xml(text)}</content>
</entry>
`;
}

function jsonFeedEnds(feed: FeedHead, { origin, self }: FeedPlace): readonly [string, string] {
  const head = JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: titleOf(feed, feed.title),
    description: feed.description,
    feed_url: origin + self,
    authors: [{ name: "Vigil" }],
  });
  return [`${head.slice(0, -1)},"items":[`, "]}"];
}

function jsonFeedItem(feed: FeedHead, { id, title, text, link, at }: FeedEntry, origin: string): string {
  return JSON.stringify({
    id,
    url: addressOf(link, origin),
    title: titleOf(feed, title),
    content_text: text,
    date_published: instant(at),
  });
}

/**
 * The absolute address of a link. Undefined unless it is a path or an http(s) address: upstreams supply addresses of
 * any kind, and feed readers must not follow script addresses.
 */
function addressOf(link: string | undefined, origin: string): string | undefined {
  if (link?.startsWith("/")) return origin + link;
  return link !== undefined && HTTP.test(link) ? link : undefined;
}

function titleOf({ isSimulated }: FeedHead, title: string): string {
  return isSimulated ? `${SIMULATED}${title}` : title;
}

function instant(at: number): string {
  return new Date(at).toISOString();
}

/** Characters that XML 1.0 cannot contain, even escaped: control characters, lone surrogates and two noncharacters. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Text of an element or of a quoted attribute. */
function xml(text: string): string {
  return text
    .replaceAll(NOT_IN_XML, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\r", "&#13;");
}
