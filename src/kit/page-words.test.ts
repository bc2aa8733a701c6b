import { expect, test } from "vitest";
import { pageWords } from "./page-words.js";

test.each([
  ["<p>Rise&nbsp;since <b>1993</b>:\n 100 mm</p>", " Rise since 1993 : 100 mm "],
  ["a<script>1 < 2</script >b<STYLE x>p{}</style>c", "a b c"],
  ["a<script>never ends<b>c", "a never ends c"],
  ["1 < 2 and 3 > 2", "1 2"],
  ["no tags", "no tags"],
  ["a < b", "a < b"],
  ["<", "<"],
  [`a<${"x".repeat(3_000)}>b`, `a<${"x".repeat(3_000)}>b`],
  ["<scripted>a</scripted>", " a "],
])("the words of %j are %j", (page, words) => {
  expect(pageWords(page)).toBe(words);
});

const unchanged = (page: string): string => page;

// A quadratic reader would need hours for these pages.
test.each<[piece: string, wordsOf: (page: string) => string]>([
  ["<script", unchanged],
  ["<script>", () => " "],
  ["<style", unchanged],
  ["</script", unchanged],
  ["<", unchanged],
  ["<a", unchanged],
  ["<script></script", () => " </script"],
  ["< > ", () => " "],
  [" ", () => " "],
])("a page of four million characters that repeats %j is read completely", (piece, wordsOf) => {
  const page = piece.repeat(Math.ceil(4_000_000 / piece.length));
  // Compared outside `expect`, which would print both texts.
  expect(pageWords(page) === wordsOf(page)).toBe(true);
});
