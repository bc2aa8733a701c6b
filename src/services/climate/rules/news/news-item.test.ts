import { expect, test } from "vitest";
import { newsItem } from "./news-item.js";

const entry = { title: "Ice & snow", link: "https://x.test/a", publishedAt: 1, summary: "", sourceName: "UNEP" };

test("an entry without a title, an address or a date is not a news item", () => {
  expect(newsItem({ ...entry, title: "" })).toBeUndefined();
  expect(newsItem({ ...entry, link: undefined })).toBeUndefined();
  expect(newsItem({ ...entry, publishedAt: undefined })).toBeUndefined();
});

test("a summary is cut at 300 characters", () => {
  expect(newsItem({ ...entry, summary: "é".repeat(300) })?.summary).toBe("é".repeat(300));
  expect(newsItem({ ...entry, summary: "é".repeat(301) })?.summary).toBe(`${"é".repeat(299)}…`);
});

test("the id of an item is derived from its address, and an empty summary is left out", () => {
  expect(newsItem(entry)).toEqual({
    id: "d53531fcb1bcf3ac",
    title: "Ice & snow",
    url: "https://x.test/a",
    sourceName: "UNEP",
    publishedAt: 1,
  });
});
