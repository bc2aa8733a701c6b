import type { FeedEntry, FeedReading, FeedRecord, FeedStatus } from "../digest-records.js";

const AHEAD_MS = 3_600_000;
const FRESH_MS = 96 * 3_600_000;

/** Returns the publication time of an entry. Undefined if it is missing or more than an hour in the future. */
export function publicationOf({ publishedAt }: Pick<FeedEntry, "publishedAt">, now: number): number | undefined {
  return publishedAt !== undefined && publishedAt <= now + AHEAD_MS ? publishedAt : undefined;
}

/**
 * Returns the publication time of an entry if it had passed when the feed was read; undefined for the other records.
 * These times show how old the content of the feeds is, so a date in the future must not count.
 */
export function publicationSeen(record: FeedRecord): number | undefined {
  return record.kind === "entry" && record.isAhead !== true ? record.publishedAt : undefined;
}

/** Tests whether an entry is at most four days old. */
export function isFresh(publishedAt: number, now: number): boolean {
  return publishedAt >= now - FRESH_MS;
}

/**
 * Returns the status of a feed that has a problem; undefined if it has none. A failed feed has the status `empty`,
 * because the API has no status for failures. `datedCount` and `undatedCount` count the feed's stored entries with and
 * without a usable date (`publicationOf`).
 */
export function feedStatus(
  reading: Pick<FeedReading, "state"> | undefined,
  datedCount: number,
  undatedCount: number,
): FeedStatus | undefined {
  if (reading === undefined || reading.state === "timeout") return "timeout";
  if (reading.state === "failed" || reading.state === "empty") return "empty";
  if (undatedCount === 0) return datedCount === 0 ? "empty" : undefined;
  return datedCount === 0 ? "all-undated" : "partial-undated";
}
