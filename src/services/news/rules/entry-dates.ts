import type { FeedEntry, FeedReading, FeedStatus } from "../digest-records.js";

const AHEAD_MS = 3_600_000;
const FRESH_MS = 96 * 3_600_000;

/** The publication of an entry; undefined where it has none, or one that lies more than an hour ahead. */
export function publicationOf({ publishedAt }: Pick<FeedEntry, "publishedAt">, now: number): number | undefined {
  return publishedAt !== undefined && publishedAt <= now + AHEAD_MS ? publishedAt : undefined;
}

/** News of at most four days. */
export function isFresh(publishedAt: number, now: number): boolean {
  return publishedAt >= now - FRESH_MS;
}

/**
 * What is wrong with a feed; undefined where nothing is. A feed that failed gives nothing new, which the contract's
 * words call empty; `datedCount` and `undatedCount` are those of the entries at hand.
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
