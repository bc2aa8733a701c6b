import type { ViewOf } from "../../../contract/dataset.js";
import type { AvailableSnapshot, PartStatus } from "../../../contract/snapshot.js";
import type { newsFeeds } from "../datasets/news-feeds.js";

type CollectedFeeds = Pick<AvailableSnapshot<ViewOf<typeof newsFeeds>>, "view" | "parts" | "checkedAt">;

/** Returns the status of a feed, for a product that has one part for each feed. */
export function feedStatus({ view, parts, checkedAt }: CollectedFeeds, feed: string): PartStatus {
  const reading = view.readings.get(feed);
  const off = Object.values(parts).find(({ state }) => state === "off");
  if (reading === undefined) {
    return off
      ? { state: "off", confirmedAt: null, error: off.error }
      : { state: "missing", confirmedAt: null, error: `${feed} has not been read yet` };
  }
  const { state, error = null, readAt = null } = reading;
  if (state === "ok" || state === "empty") return { state: "fresh", confirmedAt: checkedAt, error: null };
  const isKept = view.entries.has(feed);
  return { state: isKept ? "kept" : "missing", confirmedAt: isKept ? readAt : null, error };
}
