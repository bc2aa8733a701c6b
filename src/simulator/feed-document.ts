import type { Headline } from "./models/headlines.js";

/** The feed format of a publisher's software. */
export type FeedDialect =
  | "rss-2.0"
  | "rss-2.0-cdata"
  | "rss-2.0-media"
  | "rss-2.0-dc"
  | "rss-0.91"
  | "rdf"
  | "atom"
  | "json";

/** The content of a feed before formatting. */
export interface FeedDraft {
  readonly host: string;
  readonly publisher: string;
  readonly language: string;
  readonly dialect: FeedDialect;
  /** The encoding that the document declares. */
  readonly charset: string;
  /** Newest first. An undefined date is omitted. */
  readonly items: readonly DraftItem[];
  /** Epoch ms. */
  readonly builtAt: number;
  /** True if the markup of titles and texts is escaped twice, as if by two programs. */
  readonly escapesTwice: boolean;
}

export interface DraftItem extends Omit<Headline, "at"> {
  readonly at: number | undefined;
}

/** Formats the feed. Returns its media type and text. */
export function feedDocument(draft: FeedDraft): { readonly contentType: string; readonly text: string } {
  switch (draft.dialect) {
    case "json":
      return { contentType: "application/feed+json", text: jsonFeed(draft) };
    case "atom":
      return { contentType: "application/atom+xml", text: atomFeed(draft) };
    case "rdf":
      return { contentType: "application/rdf+xml", text: rdfFeed(draft) };
    default:
      return { contentType: "application/rss+xml", text: rssFeed(draft) };
  }
}

const prolog = ({ charset }: FeedDraft): string => `<?xml version="1.0" encoding="${charset}"?>\n`;
const titleOf = ({ publisher }: FeedDraft): string => `Simulated feed of ${publisher}`;
const pageOf = ({ host }: FeedDraft, { slug }: DraftItem): string => `https://${host}/simulated/${slug}`;
const isoOf = (at: number): string => new Date(at).toISOString().replace(".000", "");

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Escapes text that may contain markup, as the publisher's software does. */
function written(text: string, { escapesTwice }: FeedDraft): string {
  return escaped(escapesTwice ? escaped(text) : text);
}

const cdata = (html: string): string => `<![CDATA[${html}]]>`;
const htmlOf = (text: string): string => `<p>${escaped(text)}</p>`;
const link = (draft: FeedDraft, item: DraftItem): string => `${pageOf(draft, item)}?utm_source=rss&utm_medium=feed`;

function rssFeed(draft: FeedDraft): string {
  const version = draft.dialect === "rss-0.91" ? "0.91" : "2.0";
  const spaces =
    version === "0.91"
      ? ""
      : ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:content="http://purl.org/rss/1.0/modules/content/"';
  return `${prolog(draft)}<rss version="${version}"${spaces}>
<channel>
<title>${escaped(titleOf(draft))}</title>
<link>https://${draft.host}/</link>
<description>Simulated headlines &amp; teasers</description>
<language>${draft.language}</language>
${draft.items.map((item) => rssItem(draft, item)).join("")}</channel>
</rss>
`;
}

function rssItem(draft: FeedDraft, item: DraftItem): string {
  const { dialect } = draft;
  const page = escaped(dialect === "rss-2.0-media" ? pageOf(draft, item) : link(draft, item));
  const head =
    dialect === "rss-2.0-cdata"
      ? `<title>${cdata(item.title)}</title><link>${page}</link><description>${cdata(htmlOf(item.summary))}</description><content:encoded>${cdata(`${htmlOf(item.summary)}<script>count()</script>`)}</content:encoded>`
      : `<title>${written(item.title, draft)}</title><link>${page}</link><description>${written(htmlOf(item.summary), draft)}</description>`;
  const guid = dialect === "rss-0.91" ? "" : `<guid isPermaLink="false">simulated-${item.id}</guid>`;
  const picture =
    dialect === "rss-2.0-media"
      ? `<media:thumbnail url="https://${draft.host}/simulated/${item.id}.jpg" width="240" height="135"/>`
      : "";
  return `<item>${head}${guid}${rssDate(dialect, item.at)}${picture}</item>\n`;
}

function rssDate(dialect: FeedDialect, at: number | undefined): string {
  if (at === undefined) return "";
  if (dialect === "rss-2.0-dc") return `<dc:date>${isoOf(at)}</dc:date>`;
  // Many publishers write the zone as an offset, and some write its name.
  const date = new Date(at).toUTCString();
  return `<pubDate>${dialect === "rss-2.0-cdata" ? date.replace("GMT", "+0000") : date}</pubDate>`;
}

function rdfFeed(draft: FeedDraft): string {
  const items = draft.items.map((item) => {
    const page = escaped(pageOf(draft, item));
    const date = item.at === undefined ? "" : `<dc:date>${isoOf(item.at)}</dc:date>`;
    return `<item rdf:about="${page}"><title>${escaped(item.title)}</title><link>${page}</link><description>${escaped(item.summary)}</description>${date}</item>\n`;
  });
  return `${prolog(draft)}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://${draft.host}/"><title>${escaped(titleOf(draft))}</title><link>https://${draft.host}/</link><description>Simulated headlines</description></channel>
${items.join("")}</rdf:RDF>
`;
}

function atomFeed(draft: FeedDraft): string {
  const entries = draft.items.map((item) => {
    const dates =
      item.at === undefined ? "" : `<published>${isoOf(item.at)}</published><updated>${isoOf(item.at)}</updated>`;
    return `<entry><title type="html">${written(item.title, draft)}</title><id>tag:${draft.host},2026:simulated-${item.id}</id><link rel="alternate" type="text/html" href="${escaped(link(draft, item))}"/>${dates}<summary type="html">${written(htmlOf(item.summary), draft)}</summary></entry>\n`;
  });
  return `${prolog(draft)}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${draft.language}"><title>${escaped(titleOf(draft))}</title><id>https://${draft.host}/</id><link rel="self" href="https://${draft.host}/feed"/><updated>${isoOf(draft.builtAt)}</updated>
${entries.join("")}</feed>
`;
}

function jsonFeed(draft: FeedDraft): string {
  const items = draft.items.map((item) => ({
    id: `simulated-${item.id}`,
    url: link(draft, item),
    title: item.title,
    summary: item.summary,
    content_html: htmlOf(item.summary),
    ...(item.at !== undefined && { date_published: isoOf(item.at) }),
  }));
  const home_page_url = `https://${draft.host}/`;
  return `${JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: titleOf(draft), home_page_url, language: draft.language, items }, null, 1)}\n`;
}
