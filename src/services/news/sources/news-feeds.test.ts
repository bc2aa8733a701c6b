import { expect, test } from "vitest";
import { requestAbout, stepOf } from "../../../../test/support/reading.js";
import { silentTally } from "../../../contract/row-tally.js";
import { LeftOut } from "../../../contract/source.js";
import { type Reading, readRows } from "../../../ingest/read-rows.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { newsFeeds as collection } from "../datasets/news-feeds.js";
import type { FeedRecord } from "../digest-records.js";
import { newsFeeds } from "./news-feeds.js";

const NOW = Date.UTC(2026, 10, 18);
const times = { id: "times", url: "https://times.example/rss", isStored: false, plannedAt: NOW };
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

/** Reads a feed whose entries have these dates. */
function readingOf(dates: readonly string[]): Reading {
  const items = dates.map(
    (date, index) =>
      `<item><title>Entry ${index}</title><link>https://times.example/${index}</link><pubDate>${date}</pubDate></item>`,
  );
  const body = `<rss version="2.0"><channel><title>Times</title>${items.join("")}</channel></rss>`;
  return readRows(newsFeeds, requestAbout(newsFeeds, "feed", times), Buffer.from(body), "application/rss+xml", NOW);
}

const fromNow = (hours: number): string => new Date(NOW + hours * HOUR_MS).toUTCString();

test.each([2, 25, 72, 24 * 400])(
  "entries dated %i hours ahead are read, even if all entries of a feed are",
  (hours) => {
    for (const aheadCount of [3, 6, 10]) {
      const reading = readingOf(Array.from({ length: 10 }, (_, index) => fromNow(index < aheadCount ? hours : -1)));
      expect(reading).toMatchObject({ rowsRead: 10, rowsBad: 0 });
      expect(reading.records.filter((record) => (record as { isAhead?: true }).isAhead)).toHaveLength(aheadCount);
    }
  },
);

test("a date in a year without meaning counts as missing", () => {
  const { rowsBad, records } = readingOf(["Fri, 31 Dec 9999 23:59:59 GMT"]);
  expect(rowsBad).toBe(0);
  expect(records).toEqual([expect.not.objectContaining({ publishedAt: expect.anything() })]);
});

test("the age of the content ignores dates in the future", () => {
  const reading = readingOf([fromNow(-1), fromNow(72)]);
  expect(reading.newestAt).toBe(NOW - HOUR_MS);
  const feeds = reading.records as readonly FeedRecord[];
  expect(collection.newestAt({ feeds, topics: [], open: [] })).toBe(NOW - HOUR_MS);
  expect(feeds.map((record) => newsFeeds.observedAt(record))).toEqual([NOW - HOUR_MS, undefined]);
});
