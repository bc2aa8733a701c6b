import { expect, test } from "vitest";
import { excerpt } from "./excerpt.js";

test("an excerpt starts with a whole word before the first match, and marks each match", () => {
  const content = `${"word ".repeat(40)}the log of data, and another log`;
  const text = excerpt({ content, words: ["log"] });
  expect(text).toMatch(/^… (word )+the <mark>log<\/mark> of data, and another <mark>log<\/mark>$/);
});

test.each([
  ["a long text without spaces", `{"${"x".repeat(500)}":"hash"} and then more`],
  ["a long text without spaces, at the end", `a ${"-".repeat(300)}hash`],
])("an excerpt after %s starts at the match", (_name, content) => {
  expect(excerpt({ content, words: ["hash"] })).toMatch(/^… <mark>hash<\/mark>/);
});

test("an excerpt whose match is near the beginning starts at the beginning, with markup escaped", () => {
  expect(excerpt({ content: "a <b> hash", words: ["hash"] })).toBe("a &lt;b&gt; <mark>hash</mark>");
});

test.each(["€", "→", "×", "$", "|"])(
  "an excerpt marks a word that contains the symbol %s, as the index stores it",
  (symbol) => {
    const word = `5${symbol}x`;
    expect(excerpt({ content: `costs ${word}, at most`, words: [word] })).toBe(`costs <mark>${word}</mark>, at most`);
  },
);
