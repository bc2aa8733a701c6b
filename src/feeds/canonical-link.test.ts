import { expect, test } from "vitest";
import { canonicalLink } from "./canonical-link.js";

test.each([
  ["https://Example.ORG/a", "https://example.org/a"],
  ["https://example.org:443/a", "https://example.org/a"],
  ["http://user:pass@example.org/a#part", "http://example.org/a"],
  ["https://example.org/a?utm_source=rss&id=7&utm_medium=x", "https://example.org/a?id=7"],
  ["https://example.org/a?fbclid=1", "https://example.org/a"],
  ["https://example.org/a?UTM_Source=x&utm%5Fmedium=y#utm_term=z", "https://example.org/a"],
  ["https://example.org/a#", "https://example.org/a"],
  ["https://user@example.org/a?b", "https://example.org/a?b"],
  ["https://www.bbc.co.uk/news/x?at_medium=RSS&at_campaign=rss", "https://www.bbc.co.uk/news/x"],
  ["https://example.org/a?q=a%20b+c", "https://example.org/a?q=a%20b+c"],
  ["  https://example.org/a \n", "https://example.org/a"],
  ["/relative?x=1", "https://feeds.test/relative?x=1"],
  ["//other.test/a", "https://other.test/a"],
])("the canonical link of %s is %s", (text, link) => {
  expect(canonicalLink(text, "https://feeds.test/rss")).toBe(link);
});

test.each([
  "",
  " ",
  "javascript:alert(1)",
  "data:text/html,x",
  "mailto:a@example.org",
  "ftp://example.org/",
  "https://",
  "//",
  `https://x.test/${"a".repeat(3_000)}`,
])("%s is not an article address", (text) => {
  expect(canonicalLink(text)).toBeUndefined();
});
