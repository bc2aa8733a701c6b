import { HOUR_MS } from "../../../kit/clock.js";
import type { FeedAnswer, FeedEntry, FeedReading, FeedRecord } from "../digest-records.js";
import type { FeedTimes } from "./feed-turns.js";

/** Maximum time for which a feed that cannot be read keeps its earlier entries. */
const KEPT_MS_MAX = 6 * HOUR_MS;

/** The states and the entries of feeds, by feed id. */
export interface FeedsById {
  readonly readings: ReadonlyMap<string, FeedReading>;
  readonly entries: ReadonlyMap<string, readonly FeedEntry[]>;
}

export interface CollectedContext {
  /** The ids of all feeds to keep, in the order of the stored records. */
  readonly feeds: readonly string[];
  /** The stored records. */
  readonly kept: readonly FeedRecord[];
  /** The outcomes of this run's requests, and the entries read. */
  readonly fresh: readonly FeedRecord[];
  /** Times of the last request and the last successful reading of each feed before this run. */
  readonly times: FeedTimes;
  readonly now: number;
}

/**
 * Combines the outcomes of a run's requests with the stored records. A feed that was not requested or has not changed
 * keeps its entries; a feed that cannot be read keeps them for six hours after they were read. The records of readable
 * feeds omit the time of the reading, so that unchanged feeds yield equal records.
 */
export function collectedFeeds({ feeds, kept, fresh, times, now }: CollectedContext): readonly FeedRecord[] {
  const [stored, read] = [byFeed(kept), byFeed(fresh)];
  const answers = new Map(
    fresh.flatMap((record) => (record.kind === "answer" ? [[record.feed, record] as const] : [])),
  );
  return feeds.flatMap((id): readonly FeedRecord[] => {
    const answer = answers.get(id);
    const before = stored.readings.get(id);
    const reading = answer ? readingAfter(before, answer, times.readAt[id], now) : before;
    if (reading === undefined) return [];
    const entries = (answer && isReading(answer) ? read : stored).entries.get(id) ?? [];
    return [reading, ...(isStanding(reading, now) ? entries : [])];
  });
}

/** True for the outcome of a request that read the feed. The entries read then replace the stored entries. */
export function isReading(record: FeedRecord): boolean {
  return record.kind === "answer" && (record.state === "ok" || record.state === "empty");
}

/** True if the stored entries of a feed may be used: the feed is readable, or was read at most six hours ago. */
export function isStanding({ state, readAt }: FeedReading, now: number): boolean {
  if (state === "ok" || state === "empty") return true;
  return readAt !== undefined && now - readAt <= KEPT_MS_MAX;
}

function readingAfter(
  before: FeedReading | undefined,
  { feed, state, error }: FeedAnswer,
  lastReadAt: number | undefined,
  now: number,
): FeedReading | undefined {
  switch (state) {
    case "ok":
      return { kind: "feed", feed, state };
    case "empty":
      return { kind: "feed", feed, state, since: before?.state === "empty" ? (before.since ?? now) : now };
    case "unchanged":
      // An unchanged feed has a stored reading, because a feed without one is never requested conditionally.
      return before?.state === "empty" ? before : { kind: "feed", feed, state: "ok" };
    case "unasked":
      return before;
    case "timeout":
    case "failed": {
      const isNew = before === undefined || before.state === "ok" || before.state === "empty";
      const readAt = isNew ? lastReadAt : before.readAt;
      return {
        kind: "feed",
        feed,
        state,
        ...(error !== undefined && { error }),
        since: isNew ? now : (before.since ?? now),
        ...(readAt !== undefined && { readAt }),
      };
    }
  }
}

/** Groups records by feed and keeps their order. */
export function byFeed(records: readonly FeedRecord[]): FeedsById {
  const readings = new Map<string, FeedReading>();
  const entries = new Map<string, FeedEntry[]>();
  for (const record of records) addTo(readings, entries, record);
  return { readings, entries };
}

/** Adds a record to its feed. */
export function addTo(readings: Map<string, FeedReading>, entries: Map<string, FeedEntry[]>, record: FeedRecord): void {
  if (record.kind === "feed") readings.set(record.feed, record);
  if (record.kind !== "entry") return;
  const own = entries.get(record.feed);
  if (own === undefined) entries.set(record.feed, [record]);
  else own.push(record);
}
