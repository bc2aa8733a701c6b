import { expect, test } from "vitest";
import { builtFrom, collectedFrom, entryOf } from "../../../../test/support/collected-feeds.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { allFeeds } from "../../news/catalogue/topic-feeds.js";
import { aviationNews } from "./aviation-news.js";

const NOW = Date.UTC(2026, 10, 21, 12);

const builtOf = (...entries: Parameters<typeof collectedFrom>[0]) =>
  builtFrom(aviationNews, { feeds: collectedFrom(entries) }, NOW);

test("every publisher has a collected feed whose texts are all stored", () => {
  const withTexts = new Set(allFeeds.filter(({ hasAllTexts }) => hasAllTexts).map(({ id }) => id));
  const statuses = aviationNews.partStatuses?.({ feeds: collectedFrom([]) });
  const ids = Object.values(statuses ?? {}).map(({ error }) => error?.replace(" has not been read yet", "") ?? "");
  expect(ids).toHaveLength(9);
  expect(ids.filter((id) => !withTexts.has(id))).toEqual([]);
});

test("a headline has the name of its publisher, its teaser and its picture", () => {
  const entry = { ...entryOf("airline-geeks", "Story", NOW - 1, "A teaser."), image: "https://x.test/1.jpg" };
  expect(builtOf(entry).airlineGeeks).toEqual([
    {
      title: "Story",
      url: entry.link,
      sourceName: "AirlineGeeks",
      publishedAt: NOW - 1,
      teaser: "A teaser.",
      imageUrl: "https://x.test/1.jpg",
    },
  ]);
});

test("entries are left out if they have no date, are dated more than an hour ahead, or come from another feed", () => {
  const { aeroTime } = builtOf(
    entryOf("aerotime", "undated", undefined),
    entryOf("aerotime", "ahead", NOW + HOUR_MS + 1),
    entryOf("aerotime", "soon", NOW + HOUR_MS),
    entryOf("bbc-world", "other", NOW),
  );
  expect(aeroTime.map(({ title }) => title)).toEqual(["soon"]);
});

test("a publisher has the status of its feed", () => {
  const collected = collectedFrom(
    [entryOf("aerotime", "a", NOW), entryOf("flightglobal", "b", NOW)],
    [
      { kind: "feed", feed: "flightglobal", state: "failed", error: "answered 500", since: NOW, readAt: NOW - HOUR_MS },
      { kind: "feed", feed: "aviation-week", state: "timeout", error: "late", since: NOW },
    ],
  );
  expect(aviationNews.partStatuses?.({ feeds: collected })).toMatchObject({
    aeroTime: { state: "fresh", error: null },
    flightGlobal: { state: "kept", error: "answered 500", confirmedAt: NOW - HOUR_MS },
    aviationWeek: { state: "missing", error: "late", confirmedAt: null },
    aviationPros: { state: "missing", error: "aviation-pros has not been read yet" },
  });
});

test("a publisher is off if the licence mode switches its feed off", () => {
  const off = { state: "off", confirmedAt: null, error: "switched off" } as const;
  const feeds = { ...collectedFrom([]), parts: { topics: off } };
  expect(aviationNews.partStatuses?.({ feeds }).aeroTime).toEqual(off);
});
