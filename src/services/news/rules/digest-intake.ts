import { among, type RowTally, silentTally } from "../../../contract/row-tally.js";
import type { FeedEntry, FeedFacts, FeedReading, FeedStatus } from "../digest-records.js";
import { withinFeedCap } from "./digest-caps.js";
import { feedStatus, isFresh, publicationOf } from "./entry-dates.js";

/** A dated entry at most four days old, with its feed. */
export interface FreshEntry {
  readonly feed: FeedFacts;
  readonly entry: FeedEntry;
  readonly publishedAt: number;
  /** Key of the mention: all entries with the same link from feeds of the same language are one mention. */
  readonly mention: string;
}

/** The entries that a build takes from its feeds. */
export interface DigestIntake {
  /** All fresh entries, newest first. Stories are built from them. */
  readonly fresh: readonly FreshEntry[];
  /** The newest five entries of each feed, by feed id. Only these may be served. */
  readonly candidates: ReadonlyMap<string, readonly FreshEntry[]>;
  readonly feedStatuses: Readonly<Record<string, FeedStatus>>;
  readonly droppedUndated: number;
  readonly droppedFreshness: number;
  readonly droppedFeedCap: number;
}

/** Filters and sorts the entries of the feeds. If a feed repeats a link, only the first entry with the link is used. */
export function digestIntake(
  feeds: ReadonlyMap<string, FeedFacts>,
  readings: readonly FeedReading[],
  entries: readonly FeedEntry[],
  now: number,
  tally: RowTally = silentTally,
): DigestIntake {
  const byFeed = new Map<string, FeedEntry[]>([...feeds.keys()].map((id) => [id, []]));
  for (const entry of entries) byFeed.get(entry.feed)?.push(entry);
  const readingOf = new Map(readings.map((reading) => [reading.feed, reading]));

  const statuses: [string, FeedStatus][] = [];
  const candidates = new Map<string, readonly FreshEntry[]>();
  const fresh: FreshEntry[] = [];
  let [droppedUndated, droppedFreshness, droppedFeedCap] = [0, 0, 0];
  for (const [id, feed] of feeds) {
    const listed = byFeed.get(id) ?? [];
    const distinct = firstByLink(listed);
    const own = tally.narrowed("same link twice in a feed", listed, distinct, among(distinct));
    const dated = own.flatMap((entry): readonly FreshEntry[] => {
      const publishedAt = publicationOf(entry, now);
      if (publishedAt === undefined) tally.leftOut("no date, or a date in the future", entry);
      return publishedAt === undefined ? [] : [{ feed, entry, publishedAt, mention: `${feed.language} ${entry.link}` }];
    });
    const isRecent = ({ publishedAt }: FreshEntry): boolean => isFresh(publishedAt, now);
    const recent = tally.filter(dated, { "older than four days": isRecent }).sort(newestFirst);
    const { kept, dropped } = withinFeedCap(recent);
    tally.narrowed("beyond the newest five of a feed", recent, kept, among(kept));
    candidates.set(id, kept);
    fresh.push(...recent);
    droppedUndated += own.length - dated.length;
    droppedFreshness += dated.length - recent.length;
    droppedFeedCap += dropped;
    const status = feedStatus(readingOf.get(id), dated.length, own.length - dated.length);
    if (status !== undefined) statuses.push([id, status]);
  }
  return {
    fresh: fresh.sort(newestFirst),
    candidates,
    feedStatuses: Object.fromEntries(statuses),
    droppedUndated,
    droppedFreshness,
    droppedFeedCap,
  };
}

/** Returns the entries without those that repeat the link of an earlier entry. */
export function firstByLink<Entry extends { readonly link: string }>(entries: readonly Entry[]): readonly Entry[] {
  const kept = new Map<string, Entry>();
  for (const entry of entries) if (!kept.has(entry.link)) kept.set(entry.link, entry);
  return [...kept.values()];
}

/** Compares entries, newest first, then by link and feed, so that the order does not depend on the reading order. */
function newestFirst(a: FreshEntry, b: FreshEntry): number {
  if (a.publishedAt !== b.publishedAt) return b.publishedAt - a.publishedAt;
  if (a.entry.link !== b.entry.link) return a.entry.link < b.entry.link ? -1 : 1;
  return a.feed.id < b.feed.id ? -1 : 1;
}
