import { rewriteMiddle, type SimulatedAnswer, type SimulatedRoute } from "./upstream.js";

/** Creates a route for a publisher's feed, RSS or Atom, with its fault variants. */
export function feedRoute(host: string, path: string, handle: SimulatedRoute["handle"]): SimulatedRoute {
  return {
    host,
    path,
    handle,
    variants: {
      changed: (xml) => xml.replaceAll(/<(\/?)(rss|feed)\b/g, "<$1newsletter"),
      empty: (xml) => xml.replace(/<(item|entry)>[\s\S]*<\/\1>\n/, ""),
      badRow: (xml) =>
        rewriteMiddle(xml, /<(item|entry)>[\s\S]*?<\/\1>/g, (item) =>
          item.replace(/20\d\d-\d\d-\d\d|\d\d \w{3} 20\d\d/g, "99 Foo 2026"),
        ),
    },
  };
}

/** Writes an RSS document with these items. Each item is the XML of its elements. */
export function rssAnswer(host: string, items: readonly string[]): SimulatedAnswer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">
<channel>
<title>Simulated feed of ${host}</title>
<link>https://${host}/</link>
<description>Simulated headlines &amp; teasers</description>
${items.join("")}</channel>
</rss>
`;
  return { status: 200, contentType: "application/rss+xml; charset=UTF-8", body, etag: true };
}
