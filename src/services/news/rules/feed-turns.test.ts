import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import type { FeedReading } from "../digest-records.js";
import { dueFeeds, timesAfter } from "./feed-turns.js";

const NOW = Date.UTC(2026, 10, 22);
const feeds = ["a", "b", "c"].map((id) => ({ id }));

function dueAt(askedAt: Readonly<Record<string, number>>, readings: readonly FeedReading[] = []): readonly string[] {
  const byId = new Map(readings.map((reading) => [reading.feed, reading]));
  return dueFeeds(feeds, byId, { askedAt: { ...askedAt }, readAt: {} }, NOW).map(({ id }) => id);
}

const failed = (feed: string, sinceMs: number): FeedReading => ({
  kind: "feed",
  feed,
  state: "failed",
  since: NOW - sinceMs,
});

test("feeds that were never requested come first, then those that have waited longest", () => {
  expect(dueAt({ a: NOW - 20 * MINUTE_MS, b: NOW - 30 * MINUTE_MS })).toEqual(["c", "b", "a"]);
});

test("a feed is requested about every quarter of an hour, in the run nearest to the time at which it is due", () => {
  const [b, c] = [NOW, NOW];
  expect(dueAt({ a: NOW - 14 * MINUTE_MS, b, c })).toEqual(["a"]);
  expect(dueAt({ a: NOW - 14 * MINUTE_MS + 1, b, c })).toEqual([]);
});

test("a failing feed is requested every five minutes, but after an hour of failures only as often as the others", () => {
  const [b, c] = [NOW, NOW];
  expect(dueAt({ a: NOW - 4 * MINUTE_MS, b, c }, [failed("a", 0)])).toEqual(["a"]);
  expect(dueAt({ a: NOW - 4 * MINUTE_MS, b, c }, [failed("a", HOUR_MS)])).toEqual([]);
  expect(dueAt({ a: NOW - 14 * MINUTE_MS, b, c }, [failed("a", HOUR_MS)])).toEqual(["a"]);
});

test("failing feeds come last", () => {
  expect(dueAt({ a: NOW - DAY_MS, b: NOW - HOUR_MS, c: NOW - HOUR_MS }, [failed("a", DAY_MS)])).toEqual([
    "b",
    "c",
    "a",
  ]);
});

test("a feed whose last request is in the future is requested immediately", () => {
  expect(dueAt({ a: NOW + HOUR_MS, b: NOW, c: NOW })).toEqual(["a"]);
});

test("a feed's times are those of its latest request and its latest reading, and are forgotten after seven days", () => {
  const times = {
    askedAt: { a: NOW - HOUR_MS, old: NOW - 7 * DAY_MS },
    readAt: { a: NOW - HOUR_MS, old: NOW - 7 * DAY_MS },
  };
  const progress = [
    { feed: "a", askedAt: NOW, isRead: false },
    { feed: "b", askedAt: NOW, isRead: true },
  ];
  expect(timesAfter(times, progress, NOW)).toEqual({
    askedAt: { a: NOW, b: NOW },
    readAt: { a: NOW - HOUR_MS, b: NOW },
  });
});
