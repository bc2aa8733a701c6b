import { expect, test } from "vitest";
import { feedStatus, isFresh, publicationOf } from "./entry-dates.js";

const HOUR = 3_600_000;
const now = Date.UTC(2026, 4, 1, 12);

test("a date up to an hour in the future is accepted, and a later date is not", () => {
  expect(publicationOf({ publishedAt: now + HOUR }, now)).toBe(now + HOUR);
  expect(publicationOf({ publishedAt: now + HOUR + 1 }, now)).toBeUndefined();
  expect(publicationOf({}, now)).toBeUndefined();
});

test("news is fresh for 96 hours", () => {
  expect(isFresh(now - 96 * HOUR, now)).toBe(true);
  expect(isFresh(now - 96 * HOUR - 1, now)).toBe(false);
});

test.each([
  ["whose entries are all dated", "ok", 3, 0, undefined],
  ["with an undated entry", "ok", 3, 1, "partial-undated"],
  ["whose entries are all undated", "ok", 0, 1, "all-undated"],
  ["without entries", "ok", 0, 0, "empty"],
  ["that was empty when read", "empty", 0, 0, "empty"],
  ["that failed but still has earlier entries", "failed", 3, 0, "empty"],
  ["that was not read in time but still has earlier entries", "timeout", 3, 1, "timeout"],
] as const)("a feed %s has the status $4", (_, state, dated, undated, status) => {
  expect(feedStatus({ state }, dated, undated)).toBe(status);
});

test("a feed that was never read has the status timeout", () => expect(feedStatus(undefined, 0, 0)).toBe("timeout"));
