import { expect, test } from "vitest";
import type { FeedEntry, FeedFacts, FeedReading } from "../digest-records.js";
import { digestIntake } from "./digest-intake.js";

const HOUR = 3_600_000;
const now = Date.UTC(2026, 4, 1, 12);
const feed = (id: string): FeedFacts => ({
  id,
  publisher: id,
  family: id,
  tier: 2,
  risk: "low",
  language: "en",
});
const entry = (of: string, link: string, hoursAgo: number | undefined): FeedEntry => ({
  kind: "entry",
  feed: of,
  title: link,
  link,
  snippet: "",
  ...(hoursAgo !== undefined && { publishedAt: now - hoursAgo * HOUR }),
});
const ok = (of: string): FeedReading => ({ kind: "feed", feed: of, state: "ok" });

test("the intake keeps the newest five entries of a feed as candidates, and all fresh entries for stories", () => {
  const entries = [3, 1, 2, 6, 5, 4, 7].map((hours) => entry("a", `l${hours}`, hours));
  const intake = digestIntake(new Map([["a", feed("a")]]), [ok("a")], entries, now);
  expect(intake.candidates.get("a")?.map((candidate) => candidate.entry.link)).toEqual(["l1", "l2", "l3", "l4", "l5"]);
  expect(intake.fresh).toHaveLength(7);
  expect(intake.droppedFeedCap).toBe(2);
});

test("the intake counts the entries that it drops because they have no date, are in the future or are too old", () => {
  const entries = [entry("a", "x", undefined), entry("a", "y", -2), entry("a", "z", 97), entry("a", "ok", 1)];
  expect(digestIntake(new Map([["a", feed("a")]]), [ok("a")], entries, now)).toMatchObject({
    droppedUndated: 2,
    droppedFreshness: 1,
    droppedFeedCap: 0,
    feedStatuses: { a: "partial-undated" },
  });
});

test("a link yields one entry if one feed repeats it, and two entries if two feeds have it", () => {
  const entries = [entry("a", "x", 1), entry("a", "x", 2), entry("b", "x", 1)];
  const feeds = new Map(["a", "b"].map((id) => [id, feed(id)]));
  expect(digestIntake(feeds, [ok("a"), ok("b")], entries, now).fresh).toHaveLength(2);
});

test("entries of feeds outside the digest are ignored", () => {
  expect(digestIntake(new Map(), [], [entry("a", "x", 1)], now).fresh).toEqual([]);
});

test("a failed feed has a status and keeps its earlier entries", () => {
  const failed: FeedReading = { ...ok("a"), state: "failed", error: "refused" };
  const intake = digestIntake(new Map([["a", feed("a")]]), [failed], [entry("a", "x", 1)], now);
  expect(intake.feedStatuses).toEqual({ a: "empty" });
  expect(intake.fresh).toHaveLength(1);
});
