import { expect, test } from "vitest";
import { somePlaces } from "../../test/support/effort.js";
import { plainText } from "./plain-text.js";
import { FeedUnreadable, readFeed } from "./read-feed.js";

// Each text is so long that a reader with quadratic time needs minutes, while a linear reader finishes immediately. The
// time limit of the tests therefore makes it unnecessary to count steps.

const CHARACTERS = 400_000;
const pieces = [
  "<!--",
  "<![CDATA[",
  "]]>",
  "-->",
  "<!",
  "<?",
  "<",
  "</",
  "<a",
  "<a ",
  "<a b='",
  "<b>",
  "</b>",
  "<p>",
  "<svg>",
  "</svg>",
  "<script",
  "<script>",
  "<style>",
  "<title>",
  "<p><div>",
  "<li>",
  "&",
  "&#",
  "&amp;",
  "&a;",
  "&lt;b&gt;",
  "{",
  "[",
  '"',
  "\\",
  "\\u",
  " ",
  "a",
  "e\u0301",
  "\u200b",
  "\ud800",
  "<!ENTITY",
  "<x xml:base='a/'>",
];
const repeated = (piece: string, characters = CHARACTERS): string => piece.repeat(Math.ceil(characters / piece.length));
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The positions in a document at which a publisher's text can occur, each with a function that puts text there. */
const places: readonly (readonly [string, (text: string) => string])[] = [
  ["as it is", (text) => text],
  ["in a channel", (text) => `<rss><channel>${text}`],
  ["after the feed", (text) => `<rss><channel><item><title>a</title></item></channel></rss>${text}`],
  ["in a title", (text) => `<rss><channel><item><title>${text}</title></item></channel></rss>`],
  ["escaped in a title", (text) => `<rss><channel><item><title>${escaped(text)}</title></item></channel></rss>`],
  ["in a section", (text) => `<rss><channel><item><title><![CDATA[${text}]]></title></item></channel></rss>`],
  ["in a date", (text) => `<rss><channel><item><title>a</title><pubDate>${text}</pubDate></item></channel></rss>`],
  ["in an attribute", (text) => `<feed><entry><link href="${text.replaceAll('"', "")}"/></entry></feed>`],
  ["in JSON", (text) => JSON.stringify({ version: "1", items: [{ title: text, url: text, content_html: text }] })],
];

test.each(pieces)(
  "a feed that repeats %j is read or refused without delay in each tested place",
  { timeout: 60_000 },
  (piece) => {
    for (const [place, write] of somePlaces(places, pieces.indexOf(piece))) {
      const text = write(repeated(piece));
      try {
        expect(readFeed(text).itemsTotal, place).toBeLessThanOrEqual(1);
      } catch (error) {
        if (!(error instanceof FeedUnreadable)) throw error;
      }
    }
  },
);

test("a hundred titles, each with 90,000 characters of unclosed elements, are read without delay", {
  timeout: 60_000,
}, () => {
  for (let title = 0; title < 100; title += 1) expect(plainText(repeated("<svg>", 90_000), 500)).toBe("");
});

test("20,000 elements that extend a very long base address are read without delay", { timeout: 60_000 }, () => {
  const long = `https://example.org/${"a".repeat(500_000)}/`;
  const items = "<item xml:base='b/'><title>a</title><link xml:base='c/'>d</link></item>".repeat(10_000);
  const { items: read } = readFeed(`<rss xml:base="${long}"><channel>${items}</channel></rss>`);
  expect(read).toHaveLength(500);
});

test("an end tag closes all open elements inside its element, and an unmatched end tag closes none", () => {
  expect(plainText("<div><svg><b>x</div>seen<div>", 100)).toBe("seen");
  expect(plainText("<svg>x</b></p>y</svg>seen</svg>", 100)).toBe("seen");
  expect(plainText("<svg/>seen<math />, too", 100)).toBe("seen , too");
  expect(plainText("<script/>x</script>seen", 100)).toBe("seen");
});
