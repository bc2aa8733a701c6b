import type {
  DigestCategory,
  DigestCounts,
  FeedEntry,
  FeedFacts,
  FeedReading,
  FeedStatus,
  RememberedStory,
  TitleClass,
} from "./digest-records.js";

export interface CategoryFeeds {
  readonly category: string;
  /** A feed may stand in several categories. */
  readonly feeds: readonly FeedFacts[];
}

export interface DigestGiven {
  /** In the order in which they are served. */
  readonly categories: readonly CategoryFeeds[];
  /** Newest reading of each feed; a feed without one was never read. */
  readonly readings: readonly FeedReading[];
  /** In the order of the feed; those of feeds in no category are ignored. */
  readonly entries: readonly FeedEntry[];
  /** What the build before this one returned as its memory. */
  readonly memory: readonly RememberedStory[];
  /** Epoch ms. */
  readonly now: number;
  readonly classify: (title: string, language: string) => TitleClass;
}

export interface Digest {
  /** As given, also those without items. */
  readonly categories: readonly DigestCategory[];
  /** Every story of the last seven days, for the next build. */
  readonly memory: readonly RememberedStory[];
  readonly coverage: DigestCounts;
  /** By id of the feed; only of those with trouble. */
  readonly feedStatuses: Readonly<Record<string, FeedStatus>>;
}

/** The scored digest of what the feeds hold: pure, and the same for the same arguments. */
export function buildDigest({ categories, memory }: DigestGiven): Digest {
  return {
    categories: categories.map(({ category }) => ({ category, items: [] })),
    memory,
    coverage: {
      ...{ state: "unavailable", itemsServed: 0, publisherCount: 0, feedTotal: 0, feedCompleted: 0 },
      ...{ categoryTotal: categories.length, categoryCompleted: 0, droppedUndated: 0, droppedFreshness: 0 },
      ...{ droppedFeedCap: 0, droppedCategoryCap: 0, foldedCount: 0 },
      categoryStates: Object.fromEntries(categories.map(({ category }) => [category, "missing" as const])),
    },
    feedStatuses: {},
  };
}
