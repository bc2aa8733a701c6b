import type { Feed, FeedEntry } from "../../contract/feed.js";

/** The addresses in a feed. */
export interface FeedPlace {
  /** Origin of this service, such as `https://vigil.example`. */
  readonly origin: string;
  /** Path and query of the feed itself. */
  readonly self: string;
}

const HTTP = /^https?:\/\//i;
const SIMULATED = "[simulated] ";

/** The feed as Atom (RFC 4287). */
export function atomText(feed: Feed, { origin, self }: FeedPlace): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${xml(feed.id)}</id>
<title>${xml(titleOf(feed, feed.title))}</title>
<subtitle>${xml(feed.description)}</subtitle>
<updated>${instant(feed.updatedAt)}</updated>
<author><name>Vigil</name></author>
<link rel="self" type="application/atom+xml" href="${xml(origin + self)}"/>
${feed.entries.map((entry) => atomEntry(feed, entry, origin)).join("")}</feed>
`;
}

function atomEntry(feed: Feed, { id, title, text, link, at }: FeedEntry, origin: string): string {
  const address = addressOf(link, origin);
  return `<entry>
<id>${xml(id)}</id>
<title>${xml(titleOf(feed, title))}</title>
<updated>${instant(at)}</updated>
${address === undefined ? "" : `<link rel="alternate" href="${xml(address)}"/>\n`}<content type="text">${xml(text)}</content>
</entry>
`;
}

/** The feed as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export function jsonFeedText(feed: Feed, { origin, self }: FeedPlace): string {
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: titleOf(feed, feed.title),
    description: feed.description,
    feed_url: origin + self,
    authors: [{ name: "Vigil" }],
    items: feed.entries.map(({ id, title, text, link, at }) => ({
      id,
      url: addressOf(link, origin),
      title: titleOf(feed, title),
      content_text: text,
      date_published: instant(at),
    })),
  });
}

/** The absolute address of a link. Upstreams name addresses of any kind, and readers must not follow those of scripts. */
function addressOf(link: string | undefined, origin: string): string | undefined {
  if (link?.startsWith("/")) return origin + link;
  return link !== undefined && HTTP.test(link) ? link : undefined;
}

function titleOf({ isSimulated }: Feed, title: string): string {
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
