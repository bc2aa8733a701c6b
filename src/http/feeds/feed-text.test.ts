import { SaxesParser } from "saxes";
import { expect, test } from "vitest";
import type { Feed } from "../../contract/feed.js";
import { type FeedPlace, feedText } from "./feed-text.js";

const AT = Date.UTC(2026, 10, 23, 12);
const place = { origin: "https://vigil.example", self: "/api/watches/v1/get-watch-feed?token=a&format=atom" };

const atomText = (of: Feed, at: FeedPlace): string => feedText("atom", of, at);
const jsonFeedText = (of: Feed, at: FeedPlace): string => feedText("jsonfeed", of, at);

const feed: Feed = {
  id: "urn:vigil:watch:1",
  title: "Red alerts",
  description: "Firings of one watch",
  updatedAt: AT,
  isSimulated: false,
  entries: [{ id: "urn:vigil:firing:7", title: "Fired", text: "a\nb", link: "/api/a/v1/list-b?c=d&e=f", at: AT }],
};

interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements of a document in order; throws if it is not well-formed. */
function elementsOf(document: string): readonly XmlElement[] {
  const elements: XmlElement[] = [];
  const open: XmlElement[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on("closetag", () => open.pop());
  parser.write(document).close();
  return elements;
}

const textsOf = (document: string, name: string): readonly string[] =>
  elementsOf(document).flatMap((element) => (element.name === name ? [element.text] : []));

test("an Atom feed has the members that RFC 4287 requires, with absolute links", () => {
  const document = atomText(feed, place);
  expect(textsOf(document, "id")).toEqual([feed.id, "urn:vigil:firing:7"]);
  expect(textsOf(document, "title")).toEqual(["Red alerts", "Fired"]);
  expect(textsOf(document, "updated")).toEqual(["2026-11-23T12:00:00.000Z", "2026-11-23T12:00:00.000Z"]);
  expect(textsOf(document, "name")).toEqual(["Vigil"]);
  expect(textsOf(document, "content")).toEqual(["a\nb"]);
  const links = elementsOf(document).filter(({ name }) => name === "link");
  expect(links.map(({ attributes }) => attributes)).toEqual([
    { rel: "self", type: "application/atom+xml", href: `https://vigil.example${place.self}` },
    { rel: "alternate", href: "https://vigil.example/api/a/v1/list-b?c=d&e=f" },
  ]);
});

test("a JSON feed has the members of version 1.1", () => {
  expect(JSON.parse(jsonFeedText(feed, place))).toEqual({
    version: "https://jsonfeed.org/version/1.1",
    title: "Red alerts",
    description: "Firings of one watch",
    feed_url: `https://vigil.example${place.self}`,
    authors: [{ name: "Vigil" }],
    items: [
      {
        id: "urn:vigil:firing:7",
        url: "https://vigil.example/api/a/v1/list-b?c=d&e=f",
        title: "Fired",
        content_text: "a\nb",
        date_published: "2026-11-23T12:00:00.000Z",
      },
    ],
  });
});

test("an entry without an address has no link", () => {
  const entries = feed.entries.map((entry) => ({ ...entry, link: undefined }));
  expect(atomText({ ...feed, entries }, place)).not.toContain("alternate");
  expect(JSON.parse(jsonFeedText({ ...feed, entries }, place)).items[0]).not.toHaveProperty("url");
});

test.each([
  ["https://news.example/a?b=c&d", "https://news.example/a?b=c&d"],
  ["HTTP://news.example/", "HTTP://news.example/"],
  ["javascript:alert(1)", undefined],
  ["data:text/html,a", undefined],
  ["news.example", undefined],
])("if the link of an entry is %s, its address in the feed is %s", (link, address) => {
  const entries = feed.entries.map((entry) => ({ ...entry, link }));
  const hrefs = elementsOf(atomText({ ...feed, entries }, place)).flatMap(({ name, attributes }) =>
    name === "link" && attributes["rel"] === "alternate" ? [attributes["href"]] : [],
  );
  expect(hrefs).toEqual(address === undefined ? [] : [address]);
  expect(JSON.parse(jsonFeedText({ ...feed, entries }, place)).items[0].url).toBe(address);
});

test("in a feed of simulated data, every title states that the data is simulated", () => {
  const simulated = { ...feed, isSimulated: true };
  expect(textsOf(atomText(simulated, place), "title")).toEqual(["[simulated] Red alerts", "[simulated] Fired"]);
  expect(JSON.parse(jsonFeedText(simulated, place))).toMatchObject({
    title: "[simulated] Red alerts",
    items: [{ title: "[simulated] Fired" }],
  });
});

test.each([
  ["markup", "</title><script>alert(1)</script>&amp;", "</title><script>alert(1)</script>&amp;"],
  ["quotes", `" onload='x'`, `" onload='x'`],
  ["line ends", "a\r\nb\rc", "a\r\nb\rc"],
  ["control characters", "a\u0000b\u001bc", "a\uFFFDb\uFFFDc"],
  ["a lone surrogate", "a\uD800b", "a\uFFFDb"],
  ["an emoji", "a\u{1F525}b", "a\u{1F525}b"],
])("an upstream's string with %s is written as text", (_name, hostile, text) => {
  const entries = feed.entries.map((entry) => ({
    ...entry,
    id: hostile,
    title: hostile,
    text: hostile,
    link: `/${hostile}`,
  }));
  const document = atomText({ ...feed, title: hostile, entries }, place);
  expect(textsOf(document, "title")).toEqual([text, text]);
  expect(textsOf(document, "content")).toEqual([text]);
  expect(elementsOf(document).map(({ name }) => name)).toEqual(
    elementsOf(atomText(feed, place)).map(({ name }) => name),
  );
});
