import type { RowTally } from "../../../contract/row-tally.js";
import type { FeedEntry, FeedRecord } from "../digest-records.js";
import { isReading } from "./collected-feeds.js";

interface Collected {
  /** The ids of the feeds to keep. */
  readonly feeds: readonly string[];
  readonly kept: readonly FeedRecord[];
  readonly fresh: readonly FeedRecord[];
  /** The records to store, made by `collectedFeeds` from `kept` and `fresh`. */
  readonly records: readonly FeedRecord[];
}

/**
 * Adds a run's balance of records to `tally`. Entries that the run does not store count as left out. A run merges the
 * stored state of a feed with the outcome of a request: both count as joined, and the new state counts as made.
 */
export function countCollected(tally: RowTally, { feeds, kept, fresh, records }: Collected): void {
  const listed = new Set(feeds);
  const stored = new Set(records);
  const reread = new Set(fresh.flatMap((record) => (isReading(record) ? [record.feed] : [])));
  const ruleOf = ({ feed }: FeedEntry): string => {
    if (!listed.has(feed)) return "feed no longer in the catalogue";
    return reread.has(feed) ? "replaced by a newer reading of the feed" : "feed unread for six hours";
  };
  const considered = [...kept, ...fresh];
  const entries = considered.filter((record) => record.kind === "entry");
  for (const entry of entries) if (!stored.has(entry)) tally.leftOut(ruleOf(entry), entry);
  tally.joined("state of a feed", considered.length - entries.length);
  tally.made("state of a feed", records.filter((record) => record.kind !== "entry").length);
}
