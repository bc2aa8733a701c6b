import { expect, test } from "vitest";
import { stepOf } from "../../../../test/support/reading.js";
import { silentTally } from "../../../contract/row-tally.js";
import { LeftOut } from "../../../contract/source.js";
import type { FeedRecord } from "../digest-records.js";
import { newsFeeds } from "./news-feeds.js";

const NOW = Date.UTC(2026, 10, 18);
const times = { id: "times", url: "https://times.example/rss", isStored: false };
const recordOf = (row: { readonly title: string; readonly link?: string; readonly summary: string }) =>
  stepOf(newsFeeds, "feed").record(row, times);

test("a snippet ends at a character boundary, and is empty if the summary repeats the title", () => {
  const item = { title: "Title", link: "https://times.example/1" };
  expect(recordOf({ ...item, summary: `${"b".repeat(399)}😀 and more` })).toMatchObject({ snippet: "b".repeat(399) });
  expect(recordOf({ ...item, summary: `${"b".repeat(398)}😀 and more` })).toMatchObject({
    snippet: `${"b".repeat(398)}😀`,
  });
  expect(recordOf({ ...item, summary: "Title" })).toMatchObject({ snippet: "" });
});

test("an entry without a title or an address is dropped", () => {
  const leftOut = new LeftOut("no title or link");
  expect(recordOf({ title: "", link: "https://times.example/1", summary: "" })).toEqual(leftOut);
  expect(recordOf({ title: "Title", summary: "" })).toEqual(leftOut);
});

test("if a feed repeats a link, its first entry with the link is kept", () => {
  const [first, second] = ["First", "Second"].map((title, hour) => ({
    ...(recordOf({ title, link: "https://times.example/1", summary: "" }) as FeedRecord),
    publishedAt: NOW - hour,
  }));
  expect(stepOf(newsFeeds, "feed").gather?.keep?.([first, second], NOW, silentTally)).toEqual([first]);
});
