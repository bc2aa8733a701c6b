import type { FeedEntry, FeedFacts, FeedReading, FeedStatus } from "../digest-records.js";
import { withinFeedCap } from "./digest-caps.js";
import { feedStatus, isFresh, publicationOf } from "./entry-dates.js";

/** A dated entry of at most four days, with its feed. */
export interface FreshEntry {
  readonly feed: FeedFacts;
  readonly entry: FeedEntry;
  readonly publishedAt: number;
  /** One link is one mention, in however many feeds of a language it stands. */
  readonly mention: string;
}

/** What a build takes in from its feeds. */
export interface DigestIntake {
  /** Everything fresh, newest first: what stories are made of. */
  readonly fresh: readonly FreshEntry[];
  /** By id of the feed, the newest five: what may be served. */
  readonly candidates: ReadonlyMap<string, readonly FreshEntry[]>;
  readonly feedStatuses: Readonly<Record<string, FeedStatus>>;
  readonly droppedUndated: number;
  readonly droppedFreshness: number;
  readonly droppedFeedCap: number;
}

/** Sorts out the entries of the feeds; a link that a feed gives twice counts once. */
export function digestIntake(
  feeds: ReadonlyMap<string, FeedFacts>,
  readings: readonly FeedReading[],
  entries: readonly FeedEntry[],
  now: number,
): DigestIntake {
  const byFeed = new Map<string, FeedEntry[]>([...feeds.keys()].map((id) => [id, []]));
  for (const entry of entries) byFeed.get(entry.feed)?.push(entry);
  const readingOf = new Map(readings.map((reading) => [reading.feed, reading]));

  const statuses: [string, FeedStatus][] = [];
  const candidates = new Map<string, readonly FreshEntry[]>();
  const fresh: FreshEntry[] = [];
  let [droppedUndated, droppedFreshness, droppedFeedCap] = [0, 0, 0];
  for (const [id, feed] of feeds) {
    const own = byLink(byFeed.get(id) ?? []);
    const dated = own.flatMap((entry): readonly FreshEntry[] => {
      const publishedAt = publicationOf(entry, now);
      return publishedAt === undefined ? [] : [{ feed, entry, publishedAt, mention: `${feed.language} ${entry.link}` }];
    });
    const recent = dated.filter(({ publishedAt }) => isFresh(publishedAt, now)).sort(newestFirst);
    const { kept, dropped } = withinFeedCap(recent);
    candidates.set(id, kept);
    fresh.push(...recent);
    droppedUndated += own.length - dated.length;
    droppedFreshness += dated.length - recent.length;
    droppedFeedCap += dropped;
    const status = feedStatus(readingOf.get(id), dated.length, own.length - dated.length);
    if (status !== undefined) statuses.push([id, status]);
  }
  return {
    ...{ fresh: fresh.sort(newestFirst), candidates, feedStatuses: Object.fromEntries(statuses) },
    ...{ droppedUndated, droppedFreshness, droppedFeedCap },
  };
}

function byLink(entries: readonly FeedEntry[]): readonly FeedEntry[] {
  const kept = new Map<string, FeedEntry>();
  for (const entry of entries) if (!kept.has(entry.link)) kept.set(entry.link, entry);
  return [...kept.values()];
}

/** What is published at one moment stands by link and feed, so that the order does not depend on who was read first. */
function newestFirst(one: FreshEntry, other: FreshEntry): number {
  if (one.publishedAt !== other.publishedAt) return other.publishedAt - one.publishedAt;
  if (one.entry.link !== other.entry.link) return one.entry.link < other.entry.link ? -1 : 1;
  return one.feed.id < other.feed.id ? -1 : 1;
}
