import { expect, test } from "vitest";
import { type Random, seededRandom } from "../kit/random.js";
import { plainText } from "./plain-text.js";
import { type Feed, FeedUnreadable, readFeed } from "./read-feed.js";

// Hostile or broken content for a title, a summary and an address.

const scraps = [
  "word",
  " ",
  "Ice & snow",
  "a < b",
  "é",
  "🌍",
  "العربية",
  "می\u200cخواهم",
  "5 > 3",
  "AT&T",
  "…",
  "<p>",
  "</p>",
  "<b",
  "<i>x</i>",
  "<br/>",
  "</",
  "<",
  ">",
  "'",
  '"',
  "=",
  "<!",
  "<!-- c -->",
  "<!--",
  "-->",
  "<?php",
  "?>",
  "<script>",
  "</script>",
  "<scr",
  "ipt>",
  "alert(1)",
  "<style>p{}</style>",
  "<iframe src=//x.test>",
  "</iframe>",
  "<svg onload=alert(1)>",
  "</svg>",
  "<img src=x onerror='alert(1)'>",
  "<a href='javascript:x'",
  " onclick=x>",
  "<math>",
  "<textarea>",
  "<title>",
  "<plaintext>",
  "<noscript>",
  "<template>",
  "<body/onload=x>",
  "<x:y z>",
  "<a\u0000b>",
  "&lt;",
  "&gt;",
  "&amp;",
  "&amp;amp;amp;lt;",
  "&#60;",
  "&#x3C;",
  "&#0;",
  "&#x1F;",
  "&#150;",
  "&#xD800;",
  "&#x110000;",
  "&nbsp;",
  "&bogus;",
  "&lt",
  "&#60",
  "&zwj;",
  "&shy;",
  "&lrm;",
  "&",
  ";",
  "amp;",
  "lt;",
  "#60;",
  "&#38;#60;",
  "&quot;",
  "&ltb&gt",
  "<![CDATA[",
  "]]>",
  "<![CDATA[<b>x</b>]]>",
  "\u0000",
  "\u0007",
  "\u001b[31m",
  "\u0085",
  "\ud800",
  "\udc00",
  "\ufffe",
  "\u200b",
  "\u200d",
  "\u202e",
  "\u2066",
  "\u2028",
  "\ufeff",
  "\u00ad",
  "\u037e",
  "\u180e",
  "\u{e0041}",
  "\t\r\n",
];
const addresses = [
  "https://news.test/a?id=1",
  "http://news.test/b",
  "//news.test/c",
  "/d",
  "?e=1",
  "HTTPS://NEWS.TEST/f#part",
  "https://u:p@news.test/g",
  "javascript:alert(1)",
  " java\nscript:alert(1)",
  "data:text/html,<b>",
  "vbscript:x",
  "file:///etc/passwd",
  "mailto:a@b.c",
  "feed://x.test",
  "https://",
  "http://[",
  "blob:https://x.test/1",
  "ftp://x.test/",
  "",
  "tag:x.test,2026:1",
  "https://x.test/<script>",
  "\u0000",
];
const trackers = ["utm_source=x", "UTM_MEDIUM=y", "fbclid=1", "gclid=2", "at_medium=RSS", "mc_cid=3", "utm%5Fterm=z"];

interface Generator {
  readonly random: Random;
  readonly pick: <T>(from: readonly T[]) => T;
}

function generator(seed: number): Generator {
  const random = seededRandom(seed);
  return { random, pick: <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T };
}

function tangle({ random, pick }: Generator): string {
  const text = Array.from({ length: Math.floor(random() * 14) }, () => pick(scraps)).join("");
  const escapings = Math.floor(random() * 4);
  let escaped = text;
  for (let time = 0; time < escapings; time += 1) escaped = escapedOnce(escaped);
  return escaped;
}

function address({ random, pick }: Generator): string {
  const text = pick(addresses);
  if (random() < 0.5) return text;
  return `${text}${text.includes("?") ? "&" : "?"}${pick(trackers)}&${pick(trackers)}`;
}

const escapedOnce = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const inCdata = (text: string): string => `<![CDATA[${text.replaceAll("]]>", "")}]]>`;
const attribute = (text: string): string => escapedOnce(text).replaceAll('"', "&quot;");

/** For each dialect of feeds, a function that writes a feed of 50 entries. */
const writers: readonly ((gen: Generator) => string)[] = [
  (gen) => {
    const write = gen.random() < 0.5 ? escapedOnce : inCdata;
    const item = (): string =>
      `<item><title>${write(tangle(gen))}</title><link>${write(address(gen))}</link><guid>${write(address(gen))}</guid><pubDate>${write(tangle(gen))}</pubDate><description>${write(tangle(gen))}</description><enclosure type="image/png" url="${attribute(address(gen))}"/></item>`;
    return `<rss version="2.0"><channel><title>${write(tangle(gen))}</title>${fifty(item)}</channel></rss>`;
  },
  (gen) => {
    const item = (): string =>
      `<item rdf:about="${attribute(address(gen))}"><title>${escapedOnce(tangle(gen))}</title><dc:date>${inCdata(tangle(gen))}</dc:date><content:encoded>${inCdata(tangle(gen))}</content:encoded></item>`;
    return `<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel/>${fifty(item)}</rdf:RDF>`;
  },
  (gen) => {
    const entry = (): string =>
      `<entry><title type="html">${escapedOnce(tangle(gen))}</title><link href="${attribute(address(gen))}"/><updated>${escapedOnce(tangle(gen))}</updated><content type="xhtml"><div><p>${escapedOnce(tangle(gen))}</p><script>x</script></div></content></entry>`;
    return `<feed xmlns="http://www.w3.org/2005/Atom"><title>${inCdata(tangle(gen))}</title>${fifty(entry)}</feed>`;
  },
  (gen) => {
    const item = (): object => ({
      id: tangle(gen),
      title: tangle(gen),
      url: address(gen),
      image: address(gen),
      content_html: tangle(gen),
      date_published: tangle(gen),
    });
    const items = Array.from({ length: 50 }, item);
    return JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: tangle(gen), items });
  },
];

function fifty(item: () => string): string {
  return Array.from({ length: 50 }, item).join("");
}

/** The faults in a feed's texts and addresses. Collecting them in a list avoids a million assertions. */
function faultsOf({ title, items }: Feed): readonly string[] {
  const texts = [title, ...items.flatMap((item) => [item.title, item.summary])];
  const links = items.flatMap(({ link, image }) => [link, image]).filter((link) => link !== undefined);
  return [
    ...texts.filter((text) => /<[a-z!/?]/i.test(text)).map((text) => `markup in ${text}`),
    ...texts
      .filter((text) => /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i.test(text))
      .map((text) => `a reference in ${text}`),
    ...texts
      .filter((text) => /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text))
      .map((text) => `a control character in ${JSON.stringify(text)}`),
    ...texts.filter((text) => plainText(text, 2_000) !== text).map((text) => `a second reading changes ${text}`),
    ...links.filter((link) => !/^https?:\/\/[^\s<>"@#]+$/.test(link)).map((link) => `address ${link}`),
    ...links.filter((link) => /[?&](?:utm(?:_|%5f)|fbclid|gclid|at_|mc_)/i.test(link)).map((link) => `tracked ${link}`),
    ...items.filter(({ publishedAt }) => publishedAt !== undefined).map(({ publishedAt }) => `a date ${publishedAt}`),
  ];
}

test("12,000 hostile entries yield no markup, character references, control characters or non-web addresses", () => {
  const gen = generator(11);
  let read = 0;
  let titled = 0;
  for (let round = 0; round < 60; round += 1) {
    for (const write of writers) {
      const feed = readFeed(write(gen), { base: "https://feeds.test/rss" });
      expect(faultsOf(feed)).toEqual([]);
      read += feed.itemsTotal;
      titled += feed.items.filter(({ title, link }) => title !== "" && link !== undefined).length;
    }
  }
  expect(read).toBe(12_000);
  // Without this check, the test would also pass if every entry were dropped.
  expect(titled).toBeGreaterThan(4_000);
});

test("a feed with unescaped hostile markup is either read without faults or refused with a FeedUnreadable", () => {
  const gen = generator(12);
  let [read, refused] = [0, 0];
  for (let round = 0; round < 2_000; round += 1) {
    const item = `<item><title>${tangle(gen)}</title><link>${address(gen)}</link><description>${tangle(gen)}</description></item>`;
    try {
      expect(faultsOf(readFeed(`<rss><channel>${item}</channel></rss>`))).toEqual([]);
      read += 1;
    } catch (error) {
      if (!(error instanceof FeedUnreadable)) throw error;
      expect(error.message).toMatch(/; expected /);
      refused += 1;
    }
  }
  expect(read).toBeGreaterThan(200);
  expect(refused).toBeGreaterThan(20);
});

test.each([
  ["<script>SECRET</script>kept", "script"],
  ["<style>SECRET</style>kept", "style"],
  ["<iframe>SECRET</iframe>kept", "iframe"],
  ["<svg><text>SECRET</text></svg>kept", "svg"],
  ["<img alt='SECRET' onerror='SECRET'>kept", "attributes"],
  ["<!-- SECRET -->kept", "comments"],
  ["<template>SECRET</template><noscript>SECRET</noscript>kept", "templates"],
])("the hidden content of %s is dropped", (html) => {
  for (const written of [
    escapedOnce(html),
    escapedOnce(escapedOnce(html)),
    inCdata(html),
    inCdata(escapedOnce(html)),
  ]) {
    const [item] = readFeed(`<rss><channel><item><title>${written}</title></item></channel></rss>`).items;
    expect(item?.title).toBe("kept");
  }
});
