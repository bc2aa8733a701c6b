import { Tokenizer } from "htmlparser2";
import { expect, test, vi } from "vitest";
import { seededRandom } from "../kit/random.js";
import { plainText } from "./plain-text.js";

test.each([
  ["plain", "plain"],
  ["a < b & c", "a < b & c"],
  ["AT&T and R&D", "AT&T and R&D"],
  ["<p>one</p><p>two</p>", "one two"],
  ["one<br>two<br/>three", "one two three"],
  ["<b>bo</b>ld", "bold"],
  ["a &amp; b &lt; c &#233; &eacute; &nbsp; d", "a & b < c é é d"],
  ["&lt;p&gt;escaped &amp;amp; once&lt;/p&gt;", "escaped & once"],
  ["&amp;lt;p&amp;gt;twice&amp;lt;/p&amp;gt;", "twice"],
  ["<script>alert(1)</script>text<style>p{}</style>", "text"],
  ["<!-- a comment -->text", "text"],
  ["<![CDATA[inside]]>", "inside"],
  ['<img src="x" alt="a > b">after', "after"],
  ["<a href='javascript:x'>link</a>", "link"],
  ["unclosed <b>bold", "unclosed bold"],
  ["broken <img src=", "broken"],
  ["  white \n\t space\u00a0here ", "white space here"],
  ["zero\u200bwidth\u202e and soft\u00adhyphen", "zerowidth and softhyphen"],
  ["می\u200cخواهم", "می\u200cخواهم"],
  ["e\u0301", "é"],
  ["\ud83d lone half", "lone half"],
  [`${"&amp;".replace("amp;", "amp;".repeat(40))}lt;b&gt;`, ""],
  ["&&#97;mp;lt;p&&#103;t;x", "x"],
  ["&lt\u037eb&gt;", "<;b>"],
  ["lt \u037e &amp;lt\u037eb", "lt ; <;b"],
  ["<\u200bb>x</\u200bb>", "x"],
  ["&\u200bamp;\u00adlt;i&\u2066gt;x", "x"],
  ["&bogus; stays nothing", "stays nothing"],
  ["", ""],
])("plainText of %j is %j", (html, text) => {
  expect(plainText(html, 1_000)).toBe(text);
});

test("text is cut between characters, never inside one", () => {
  expect(plainText("abc", 2)).toBe("ab");
  expect(plainText("a🌍b", 2)).toBe("a");
  expect(plainText("ab cd", 3)).toBe("ab");
});

test("a long piece of HTML is read only as far as necessary, with the same result as a full read", () => {
  const html = `<p>${"<b>word</b>\n   <i>é</i> ".repeat(3_000)}</p>`;
  const read = vi.spyOn(Tokenizer.prototype, "write");
  const text = plainText(html, 2_000);
  const readCharacters = read.mock.calls.flat().join("").length;
  read.mockRestore();
  expect(readCharacters).toBeGreaterThan(2_000);
  expect(readCharacters).toBeLessThan(html.length / 2);
  expect(text).toBe(plainText(html, 90_000).slice(0, 2_000).trimEnd());
  const escaped = html.replaceAll("<", "&lt;");
  expect(plainText(escaped, 2_000)).toBe(plainText(escaped, 90_000).slice(0, 2_000).trimEnd());
});

const pieces = [
  "<p>",
  "</p>",
  "<b",
  ">",
  "<",
  "</",
  "<script>",
  "</script>",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "&lt;",
  "&gt;",
  "&amp;",
  "&#60;",
  "&#x3c;",
  "&",
  ";",
  "&nbsp;",
  "word",
  " ",
  "<a href='",
  "'",
  '"',
  "=",
  "é",
  "🌍",
  "\u0000",
  "\ud800",
  "<?",
  "?>",
  "<svg>",
];

test("none of 10,000 mangled texts keeps a tag or a lone surrogate, becomes too long or causes an error", () => {
  const random = seededRandom(3);
  for (let round = 0; round < 10_000; round += 1) {
    const length = 1 + Math.floor(random() * 30);
    const html = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join("");
    const text = plainText(html, 500);
    expect(text).not.toMatch(/<[a-z!/?]/i);
    expect(text).not.toMatch(/\p{Cs}/u);
    expect(text.length).toBeLessThanOrEqual(500);
  }
});

test.each([
  ["200,000 nested tags", "<div>".repeat(200_000)],
  ["200,000 open brackets", "<".repeat(200_000)],
  ["40,000 ampersands", "&amp;".repeat(40_000)],
  ["five megabytes", "word ".repeat(1_000_000)],
])("%s are read in bounded time", (_, html) => {
  expect(plainText(html, 100).length).toBeLessThanOrEqual(100);
});
