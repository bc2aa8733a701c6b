import { expect, test } from "vitest";
import { HOUR_MS } from "../../../kit/clock.js";
import type { FeedAnswer, FeedEntry, FeedRecord } from "../digest-records.js";
import { collectedFeeds } from "./collected-feeds.js";

const NOW = Date.UTC(2026, 10, 22);

const entry = (feed: string, title: string): FeedEntry => ({
  kind: "entry",
  feed,
  title,
  link: `https://${feed}.example/${title}`,
  publishedAt: NOW,
  snippet: "",
});
const answer = (feed: string, state: FeedAnswer["state"], error?: string): FeedAnswer => ({
  kind: "answer",
  feed,
  state,
  ...(error !== undefined && { error }),
});

interface Run {
  readonly kept?: readonly FeedRecord[];
  readonly fresh: readonly FeedRecord[];
  readonly readAt?: Record<string, number>;
  readonly now?: number;
  readonly feeds?: readonly string[];
}

const collected = ({ kept = [], fresh, readAt = {}, now = NOW, feeds = ["a", "b"] }: Run) =>
  collectedFeeds({ feeds, kept, fresh, times: { askedAt: {}, readAt }, now });

const stored = collected({ fresh: [entry("a", "1"), answer("a", "ok"), entry("b", "1"), answer("b", "ok")] });

test("each feed has its state and its entries, in the order of the feeds", () => {
  expect(stored).toEqual([
    { kind: "feed", feed: "a", state: "ok" },
    entry("a", "1"),
    { kind: "feed", feed: "b", state: "ok" },
    entry("b", "1"),
  ]);
});

test("a feed that was not due, whose request was not sent, or that has not changed keeps its records", () => {
  expect(collected({ kept: stored, fresh: [] })).toEqual(stored);
  const fresh = [answer("a", "unchanged"), answer("b", "unasked", "not sent within the 8 s of the run")];
  expect(collected({ kept: stored, fresh, now: NOW + HOUR_MS })).toEqual(stored);
});

test("a feed to which no request was ever sent has no state", () => {
  expect(collected({ fresh: [answer("a", "unasked")] })).toEqual([]);
});

test("new entries replace only the entries of their own feed, and a removed feed is dropped", () => {
  expect(collected({ kept: stored, fresh: [entry("a", "2"), answer("a", "ok")] })).toEqual([
    { kind: "feed", feed: "a", state: "ok" },
    entry("a", "2"),
    ...stored.slice(2),
  ]);
  expect(collected({ kept: stored, fresh: [], feeds: ["b"] })).toEqual(stored.slice(2));
});

test("a feed that fails keeps its entries for six hours after they were read, and its record has the start and reason of the failure", () => {
  const down = [answer("a", "failed", "answered 500")];
  const readAt = { a: NOW - HOUR_MS };
  const first = collected({ kept: stored, fresh: down, readAt });
  expect(first.slice(0, 2)).toEqual([
    { kind: "feed", feed: "a", state: "failed", error: "answered 500", since: NOW, readAt: NOW - HOUR_MS },
    entry("a", "1"),
  ]);
  const later = collected({ kept: first, fresh: down, now: NOW + 5 * HOUR_MS });
  expect(later).toEqual(first);
  const last = collected({ kept: first, fresh: [], now: NOW + 5 * HOUR_MS + 1 });
  expect(last).toEqual(first.filter((record) => record !== first[1]));
});

test("a feed that recovers has no failure, and an empty feed has the time of its first empty reading", () => {
  const failing = collected({ kept: stored, fresh: [answer("a", "timeout", "late")], readAt: { a: NOW } });
  expect(collected({ kept: failing, fresh: [answer("a", "unchanged")] })).toEqual(stored);
  const empty = collected({ kept: stored, fresh: [answer("a", "empty")] });
  expect(empty[0]).toEqual({ kind: "feed", feed: "a", state: "empty", since: NOW });
  expect(collected({ kept: empty, fresh: [answer("a", "empty")], now: NOW + HOUR_MS })).toEqual(empty);
  expect(empty).not.toContainEqual(entry("a", "1"));
});
