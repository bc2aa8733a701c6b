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
      title: "News & more",
      language: "en",
      items: [
        {
          id: "tag:1",
          url: "https://news.test/a?id=1",
          title: "Ice & snow",
          image: "https://news.test/a.jpg",
          content_html: "<p>It melts &ndash; fast.</p>",
          date_published: "2026-11-21T12:00:00Z",
        },
      ],
    }),
  ],
];

test.each(dialects)("readFeed reads %s", (_, kind, text) => {
  const feed = readFeed(text);
  expect(feed).toMatchObject({ kind, title: "News & more", itemsTotal: 1 });
  expect(feed.items).toEqual([expected]);
});

const oneItem = { title: "Ice & snow", link: "https://news.test/a?id=1", publishedAt: published };
const of11 = 'xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
const core = "<title>Ice &amp; snow</title><link>https://news.test/a?id=1</link>";
const atomCore = '<title>Ice &amp; snow</title><link href="https://news.test/a?id=1"/>';

test.each([
  [
    "RSS 0.90",
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel><title>x</title></channel><item>${core}<pubDate>21 Nov 2026 12:00 UT</pubDate></item></rdf:RDF>`,
  ],
  [
    "RSS 0.91 with its document type",
    `<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel><item>${core}<pubDate>21 Nov 2026 12:00 UT</pubDate></item></channel></rss>`,
  ],
  [
    "RSS 1.0 with prefixes of its own",
    `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://purl.org/rss/1.0/" xmlns:d="http://purl.org/dc/elements/1.1/"><s:channel/><s:item><s:title>Ice &amp; snow</s:title><s:link>https://news.test/a?id=1</s:link><d:date>2026-11-21T12:00Z</d:date></s:item></r:RDF>`,
  ],
  [
    "RSS 1.0 without a link",
    `<rdf:RDF ${of11}><item rdf:about="https://news.test/a?id=1"><title>Ice &amp; snow</title><dc:date>2026-11-21T12:00Z</dc:date></item></rdf:RDF>`,
  ],
  [
    "RSS 2.0 in a namespace",
    `<rss xmlns="http://backend.userland.com/rss2"><channel><item>${core}<pubDate>21 Nov 2026 12:00 UT</pubDate></item></channel></rss>`,
  ],
  [
    "RSS 2.0 in Atom's namespace",
    `<rss xmlns="http://www.w3.org/2005/Atom"><channel><item>${core}<pubDate>21 Nov 2026 12:00 UT</pubDate></item></channel></rss>`,
  ],
  [
    "RSS 2.0 in capitals",
    "<RSS><CHANNEL><ITEM><TITLE>Ice &amp; snow</TITLE><LINK>https://news.test/a?id=1</LINK><PUBDATE>21 Nov 2026 12:00 UT</PUBDATE></ITEM></CHANNEL></RSS>",
  ],
  [
    "RSS 2.0 with items beside the channel",
    `<rss><channel/><item>${core}<pubDate>21 Nov 2026 12:00 UT</pubDate></item></rss>`,
  ],
  [
    "RSS 2.0 with only Atom's link and date",
    rss(
      `<item><title>Ice &amp; snow</title><link/><atom:link rel="self" href="https://news.test/self"/><atom:link href="https://news.test/a?id=1"/><atom:updated>2026-11-21T12:00:00Z</atom:updated></item>`,
    ),
  ],
  [
    "RSS 2.0 with Atom's link in place of its own",
    rss(
      `<item><title>Ice &amp; snow</title><link xmlns="http://www.w3.org/2005/Atom" href="https://news.test/a?id=1"/><dcterms:issued>2026-11-21T12:00:00Z</dcterms:issued></item>`,
    ),
  ],
  [
    "RSS 2.0 with Dublin Core's Date.Issued",
    rss(`<item>${core}<dc:Date.Issued>2026-11-21T12:00:00Z</dc:Date.Issued></item>`),
  ],
  ["RSS 2.0 with the date in `published`", rss(`<item>${core}<published>2026-11-21T12:00:00Z</published></item>`)],
  [
    "RSS 2.0 with a Media RSS title before its own title",
    rss(
      `<item><media:content url="https://news.test/a.mp4" type="video/mp4"><media:title>No</media:title></media:content><itunes:title>No</itunes:title>${core}<pubDate>21 Nov 2026 12:00 UT</pubDate></item>`,
    ),
  ],
  [
    "RSS 2.0 with an original link",
    rss(
      `<item><title>Ice &amp; snow</title><link>https://counter.test/1</link><feedburner:origLink>https://news.test/a?id=1&amp;utm_source=x</feedburner:origLink><pubDate>21 Nov 2026 12:00 UT</pubDate></item>`,
    ),
  ],
  [
    "RSS 2.0 with another service's original link",
    rss(
      `<item xmlns:p="http://www.pheedo.com/namespace/pheedo"><title>Ice &amp; snow</title><link>https://counter.test/1</link><p:origLink>https://news.test/a?id=1</p:origLink><pubDate>21 Nov 2026 12:00 UT</pubDate></item>`,
    ),
  ],
  [
    "RSS 2.0 with bare ampersands and brackets",
    rss(
      `<item><title>Ice & snow</title><link>https://news.test/a?id=1&utm_source=x</link><pubDate>21 Nov 2026 12:00 UT</pubDate><description>1 < 2</description></item>`,
    ),
  ],
  [
    "Atom 0.3",
    `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry>${atomCore}<issued>2026-11-21T12:00:00Z</issued><modified>2026-11-22T12:00:00Z</modified></entry></feed>`,
  ],
  [
    "Atom with a prefix",
    `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:title>Ice &amp; snow</a:title><a:link href="https://news.test/a?id=1"/><a:updated>2026-11-21T12:00:00Z</a:updated></a:entry></a:feed>`,
  ],
  [
    "Atom with a title in XHTML",
    `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Ice <em>&amp;</em> s<b>now</b></div></title><link href="https://news.test/a?id=1"/><updated>2026-11-21T12:00:00Z</updated></entry></feed>`,
  ],
  [
    "Atom with relative links",
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://news.test/x/"><entry xml:base="../y/"><title>Ice &amp; snow</title><link href="../a?id=1"/><updated>2026-11-21T12:00:00Z</updated></entry></feed>`,
  ],
  [
    "Atom with a link that has its own base",
    `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Ice &amp; snow</title><link xml:base="https://news.test/x/y" href="/a?id=1"/><updated>2026-11-21T12:00:00Z</updated></entry></feed>`,
  ],
  [
    "Atom with several links",
    `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Ice &amp; snow</title><link rel="edit" href="https://news.test/e"/><link rel="enclosure" href="https://news.test/m.mp3"/><link rel="alternate" type="application/json" href="https://news.test/j"/><link rel="http://www.iana.org/assignments/relation/alternate" type="text/html" href="https://news.test/a?id=1"/><updated>2026-11-21T12:00:00Z</updated></entry></feed>`,
  ],
  [
    "Atom whose entry has a source element with another title, link and date",
    `<feed xmlns="http://www.w3.org/2005/Atom"><entry><source><title>No</title><link href="https://no.test/"/><updated>2020-01-01T00:00:00Z</updated></source>${atomCore}<updated>2026-11-21T12:00:00Z</updated></entry></feed>`,
  ],
  [
    "Atom with Dublin Core's date",
    `<feed xmlns="http://www.w3.org/2005/Atom"><entry>${atomCore}<dc:date>2026-11-21T12:00:00Z</dc:date></entry></feed>`,
  ],
  [
    "JSON Feed 1.0 with a number for an id",
    '\ufeff {"version":"https://jsonfeed.org/version/1","items":[{"id":7,"title":"Ice &amp; snow","url":"https://news.test/a?id=1","date_modified":"2026-11-21T12:00:00Z"}]}',
  ],
  [
    "JSON Feed with an external address",
    '{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"7","title":"Ice & snow","external_url":"https://news.test/a?id=1","date_published":"2026-11-21T12:00:00Z"}]}',
  ],
])("readFeed reads %s", (_, text) => {
  expect(readFeed(text).items).toMatchObject([oneItem]);
});

test("an item without a description gets its summary and picture from Media RSS elements or content:encoded", () => {
  const group =
    '<media:group><media:content url="https://news.test/v.mp4" type="video/mp4"/><media:thumbnail url="https://news.test/a.jpg"/><media:description>It melts.</media:description></media:group>';
  for (const rest of [
    group,
    `<content:encoded><![CDATA[<p>It melts.</p>]]></content:encoded><enclosure url="https://news.test/s.mp3" type="audio/mpeg"/><media:content medium="image" url="https://news.test/a.jpg"/>`,
  ]) {
    expect(readFeed(rss(`<item>${core}${rest}</item>`)).items).toMatchObject([
      { summary: "It melts.", image: "https://news.test/a.jpg" },
    ]);
  }
});

test("a guid that is only a name is not resolved against an address", () => {
  const items = rss(
    "<item><title>a</title><guid>12345</guid></item><item><title>b</title><guid isPermaLink='false'>https://news.test/b</guid></item>",
  );
  expect(readFeed(items, { base: "https://news.test/rss" }).items.map(({ link }) => link)).toEqual([
    undefined,
    undefined,
  ]);
});

describe("an item", () => {
  const itemsOf = (items: string) => readFeed(rss(items), { base: "https://news.test/rss" }).items;

  test("an item without a date, or with an impossible one, is undated", () => {
    const dated = (date: string) => `<item><title>t</title><link>https://news.test/a</link>${date}</item>`;
    const items = itemsOf(dated("") + dated("<pubDate>31 Feb 2026</pubDate>") + dated("<pubDate>soon</pubDate>"));
    expect(items.map(({ publishedAt }) => publishedAt)).toEqual([undefined, undefined, undefined]);
  });

  test("the date of an item is its first readable date", () => {
    const [item] = itemsOf(
      "<item><title>t</title><pubDate>soon</pubDate><dc:date>2026-11-21T12:00:00Z</dc:date></item>",
    );
    expect(item?.publishedAt).toBe(published);
  });

  test("an item links to its article, else to its permanent guid, else to nothing", () => {
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

  test("an item without a title gets the beginning of its text as its title; an item without title, text and link is dropped", () => {
    const items = itemsOf(
      "<item><description>Only a text</description><link>https://news.test/a</link></item><item><guid isPermaLink='false'>x</guid></item>",
    );
    expect(items.map(({ title }) => title)).toEqual(["Only a text"]);
  });

  test("items beyond the limit are dropped but counted", () => {
    const many = rss(Array.from({ length: 30 }, (_, index) => `<item><title>t${index}</title></item>`).join(""));
    const feed = readFeed(many, { itemsMax: 10 });
    expect([feed.items.length, feed.itemsTotal]).toEqual([10, 30]);
  });

  test("a feed without items is read as an empty list", () => {
    expect(readFeed(rss("")).items).toEqual([]);
  });
});

describe("a document that is not a complete feed", () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${rss("<item><title>&b;</title></item>").replace('<?xml version="1.0"?>', "")}`;

  const whole = rss(`<item>${core}</item>`.repeat(50));

  test.each([
    ["an empty string", "", "the document is empty"],
    ["white space", " \ufeff\n", "the document is empty"],
    ["a word", "Forbidden", 'neither XML nor JSON (begins with "Forbidden")'],
    ["an HTML page", "<!doctype html><html><head><title>x</title></head><body></body></html>", "is an HTML page"],
    ["an XHTML page", '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', "is an HTML page"],
    ["a sitemap", '<?xml version="1.0"?><urlset><url/></urlset>', "XML with the document element urlset"],
    ["an object store's error", "<Error><Code>AccessDenied</Code></Error>", "XML with the document element Error"],
    ["a list of feeds", '<opml version="2.0"><body/></opml>', "XML with the document element opml"],
    ["a feed of another namespace", '<feed xmlns="http://x.test/y"><entry/></feed>', "element feed of http://x.test/y"],
    ["RDF that is not a feed", '<rdf:RDF xmlns:rdf="x"><foaf:Person/></rdf:RDF>', "neither a channel nor an item"],
    ["RSS without a channel", "<rss/>", "neither a channel nor an item"],
    ["only an XML declaration", '<?xml version="1.0"?><!-- nothing -->', "has no element"],
    ["a feed that breaks off", rss(`<item>${core}</item>`).slice(0, -20), "breaks off inside the element"],
    [
      "a feed that breaks off inside a CDATA section",
      `${whole.slice(0, 1_500)}<![CDATA[</channel></rss>`,
      "breaks off",
    ],
    ["an entity bomb", bomb, "declares its own entities"],
    ["JSON that is not a feed", '{"error":"not found"}', "JSON of another kind (an object with error)"],
    ["a JSON Feed without items", '{"version":"https://jsonfeed.org/version/1"}', "JSON of another kind"],
    ["a JSON list", "[1,2]", "JSON of another kind (an array of length 2)"],
    ["broken JSON", '{"version":"https://jsonfeed.org/version/1.1","items":[', "not complete, valid JSON"],
  ])("reading %s fails with a message that describes the content", (_, text, sentence) => {
    expect(() => readFeed(text)).toThrow(FeedUnreadable);
    expect(() => readFeed(text)).toThrow(sentence);
    expect(() => readFeed(text)).toThrow(/; expected /);
  });

  test("a feed truncated at any character is refused", () => {
    const text = rss(`<item>${core}<description><![CDATA[<p>a</p>]]></description></item>`);
    for (let length = 0; length < text.length; length += 1) {
      expect(() => readFeed(text.slice(0, length))).toThrow(FeedUnreadable);
    }
  });
});

test("a feed with a comment or white space after the root element is complete", () => {
  expect(readFeed(`${rss("<item><title>a</title></item>")}\n<!-- made in 3 ms -->\n`).items).toHaveLength(1);
});

test("if summaries are limited, only the newest items and items without a title have a summary", () => {
  const item = (title: string, date: string): string =>
    `<item><title>${title}</title><link>https://news.test/${date}</link>${date === "" ? "" : `<pubDate>${date}</pubDate>`}<description>Words.</description></item>`;
  const text = rss(
    [
      item("a", ""),
      item("b", "2026-11-19"),
      item("c", "2026-11-21"),
      item("d", "2026-11-20"),
      item("", "2026-11-01"),
    ].join(""),
  );
  const summaries = (summariesMax?: number): readonly (readonly string[])[] =>
    readFeed(text, { ...(summariesMax !== undefined && { summariesMax }) }).items.map(({ title, summary }) => [
      title,
      summary,
    ]);
  const of2 = [
    ["a", ""],
    ["b", ""],
    ["c", "Words."],
    ["d", "Words."],
  ];
  // An item without a title takes its title from its summary. That summary is therefore read.
  expect(summaries(2)).toEqual([...of2, ["Words.", "Words."]]);
  expect(summaries()).toEqual(["a", "b", "c", "d", "Words."].map((title) => [title, "Words."]));
});
