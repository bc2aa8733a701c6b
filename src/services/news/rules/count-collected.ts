import type { RowTally } from "../../../contract/row-tally.js";
import type { FeedEntry, FeedRecord } from "../digest-records.js";
import { isReading } from "./collected-feeds.js";

interface Collected {
  /** The ids of the feeds to keep. */
  readonly feeds: readonly string[];
  readonly kept: readonly FeedRecord[];
  readonly fresh: readonly FeedRecord[];
  /** The records to store, which `collectedFeeds` has made from `kept` and `fresh`. */
  readonly records: readonly FeedRecord[];
}

/**
 * Adds to `tally` the entries that a run does not store, the earlier states and request outcomes that it merges into
 * feed states, and the resulting feed states.
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
