import { describe, expect, test } from "vitest";
import { FeedUnreadable, readFeed } from "./read-feed.js";

const published = Date.UTC(2026, 10, 21, 12);
const expected = {
  title: "Ice & snow",
  link: "https://news.test/a?id=1",
  id: "tag:1",
  publishedAt: published,
  summary: "It melts – fast.",
  image: "https://news.test/a.jpg",
};

const rss = (items: string, channel = "<title>News &amp; more</title><language>en</language>"): string =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom"><channel>${channel}<link>https://news.test/</link><description>d</description>${items}</channel></rss>`;

const dialects: readonly (readonly [string, "rss" | "rdf" | "atom" | "json", string])[] = [
  [
    "RSS 2.0",
    "rss",
    rss(
      '<item><title>Ice &amp;amp; snow</title><link>https://news.test/a?id=1&amp;utm_source=rss</link><guid isPermaLink="false">tag:1</guid><pubDate>Sat, 21 Nov 2026 12:00:00 GMT</pubDate><description><![CDATA[<p>It melts &ndash; <b>fast</b>.</p>]]></description><media:thumbnail url="https://news.test/a.jpg"/></item>',
    ),
  ],
  [
    "RSS 0.91 with Dublin Core",
    "rss",
    '<rss version="0.91" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News &amp; more</title><language>en</language><link>https://news.test/</link><description>d</description><item><title>Ice &amp; snow</title><link>https://news.test/a?id=1</link><guid isPermaLink="false">tag:1</guid><dc:date>2026-11-21T12:00:00Z</dc:date><description>It melts – fast.</description><enclosure url="https://news.test/a.jpg" type="image/jpeg" length="1"/></item></channel></rss>',
  ],
  [
    "RSS 1.0",
    "rdf",
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"><channel rdf:about="https://news.test/"><title>News &amp; more</title><dc:language>en</dc:language></channel><item rdf:about="tag:1"><title>Ice &amp; snow</title><link>https://news.test/a?id=1</link><dc:date>2026-11-21T13:00:00+01:00</dc:date><description>It melts – fast.</description><media:thumbnail url="https://news.test/a.jpg"/></item></rdf:RDF>',
  ],
  [
    "Atom 1.0",
    "atom",
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><title>News &amp; more</title><id>x</id><updated>2026-11-21T13:00:00Z</updated><entry><title type="html">Ice &amp;amp; snow</title><id>tag:1</id><link rel="self" href="https://news.test/self"/><link rel="alternate" href="https://news.test/a?id=1"/><published>2026-11-21T12:00:00Z</published><updated>2026-11-21T13:00:00Z</updated><content type="html">&lt;p&gt;It melts &amp;ndash; fast.&lt;/p&gt;</content><media:thumbnail url="https://news.test/a.jpg"/></entry></feed>',
  ],
  [
    "JSON Feed",
    "json",
    JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      ...{ title: "News & more", language: "en" },
      items: [
        {
          ...{ id: "tag:1", url: "https://news.test/a?id=1", title: "Ice & snow", image: "https://news.test/a.jpg" },
          ...{ content_html: "<p>It melts &ndash; fast.</p>", date_published: "2026-11-21T12:00:00Z" },
        },
      ],
    }),
  ],
];

test.each(dialects)("%s", (_, kind, text) => {
  const feed = readFeed(text);
  expect(feed).toMatchObject({ kind, title: "News & more", itemsTotal: 1 });
  expect(feed.items).toEqual([expected]);
});

describe("items", () => {
  const itemsOf = (items: string) => readFeed(rss(items), { base: "https://news.test/rss" }).items;

  test("without a date are undated, with an impossible one too", () => {
    const dated = (date: string) => `<item><title>t</title><link>https://news.test/a</link>${date}</item>`;
    const items = itemsOf(dated("") + dated("<pubDate>31 Feb 2026</pubDate>") + dated("<pubDate>soon</pubDate>"));
    expect(items.map(({ publishedAt }) => publishedAt)).toEqual([undefined, undefined, undefined]);
  });

  test("fall back to the next date that can be read", () => {
    const [item] = itemsOf(
      "<item><title>t</title><pubDate>soon</pubDate><dc:date>2026-11-21T12:00:00Z</dc:date></item>",
    );
    expect(item?.publishedAt).toBe(published);
  });

  test("link to the article, to a permanent guid, or to nothing", () => {
    const guid = "<guid>https://news.test/guid</guid>";
    const items = itemsOf(
      `<item><title>a</title><link>/relative</link>${guid}</item><item><title>b</title>${guid}</item><item><title>c</title><guid isPermaLink="false">https://news.test/guid</guid></item><item><title>d</title><link>javascript:alert(1)</link></item>`,
    );
    expect(items.map(({ link }) => link)).toEqual([
      "https://news.test/relative",
      "https://news.test/guid",
      undefined,
      undefined,
    ]);
  });

  test("without a title take the beginning of their text; without title and link they are nothing", () => {
    const items = itemsOf(
      "<item><description>Only a text</description><link>https://news.test/a</link></item><item><guid isPermaLink='false'>x</guid></item>",
    );
    expect(items.map(({ title }) => title)).toEqual(["Only a text"]);
  });

  test("are cut at the limit, and counted", () => {
    const many = rss(Array.from({ length: 30 }, (_, index) => `<item><title>t${index}</title></item>`).join(""));
    const feed = readFeed(many, { itemsMax: 10 });
    expect([feed.items.length, feed.itemsTotal]).toEqual([10, 30]);
  });

  test("none is a feed without items", () => {
    expect(readFeed(rss("")).items).toEqual([]);
  });
});

describe("what is no whole feed is refused", () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${rss("<item><title>&b;</title></item>").replace('<?xml version="1.0"?>', "")}`;

  test.each([
    ["an empty text", ""],
    ["an HTML page", "<!doctype html><html><head><title>x</title></head><body></body></html>"],
    ["another document", '<?xml version="1.0"?><urlset><url/></urlset>'],
    ["a feed that breaks off", rss("<item><title>a</title></item>").slice(0, -20)],
    ["half a feed", rss("<item><title>a</title></item>".repeat(50)).slice(0, 900)],
    ["an entity bomb", bomb],
    ["JSON that is no feed", '{"error":"not found"}'],
    ["broken JSON", '{"version":"https://jsonfeed.org/version/1.1","items":['],
    ["a word", "Forbidden"],
  ])("%s", (_, text) => {
    expect(() => readFeed(text)).toThrow(FeedUnreadable);
  });
});

test("a comment or white space after the root element is no break", () => {
  expect(readFeed(`${rss("<item><title>a</title></item>")}\n<!-- made in 3 ms -->\n`).items).toHaveLength(1);
});
