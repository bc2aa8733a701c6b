import type {
  DigestCategory,
  DigestCounts,
  DigestItem,
  FeedEntry,
  FeedFacts,
  FeedReading,
  FeedStatus,
  RememberedStory,
  TitleClass,
} from "../digest-records.js";
import { withinCategoryCap } from "./digest-caps.js";
import { digestIntake, type FreshEntry } from "./digest-intake.js";
import { digestItem } from "./digest-item.js";
import { oncePerStory } from "./digest-order.js";
import { entityBuckets } from "./scoring/entity-buckets.js";
import { knownStories } from "./stories/story-memory.js";
import { nameFinder } from "./titles/title-names.js";

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

/**
 * The scored digest of what the feeds hold: pure, and the same for the same arguments in whatever order the entries
 * come. Stories are made of everything fresh, also of what a feed has beyond the five items that may be served, so that
 * the corroboration counts everybody who reports.
 */
export function buildDigest({ categories, readings, entries, memory, now, classify }: DigestGiven): Digest {
  const feeds = new Map(categories.flatMap((row) => row.feeds).map((feed) => [feed.id, feed]));
  const intake = digestIntake(feeds, readings, entries, now);
  const stories = storiesOf(intake.fresh, memory, now);
  const items = itemMaker(intake.fresh, stories, now, classify);

  let [foldedCount, droppedCategoryCap] = [0, 0];
  const built = categories.map(({ category, feeds: own }): DigestCategory => {
    const given = [...new Set(own.map(({ id }) => id))].flatMap((id) => intake.candidates.get(id) ?? []);
    const { kept, folded } = oncePerStory(given.map(items));
    const served = withinCategoryCap(kept);
    foldedCount += folded;
    droppedCategoryCap += served.dropped;
    return { category, items: served.kept };
  });
  const { droppedUndated, droppedFreshness, droppedFeedCap, feedStatuses } = intake;
  return {
    ...{ categories: built, memory: stories.memory, feedStatuses },
    coverage: {
      ...coverageOf(categories, built, readings, feeds.size),
      ...{ droppedUndated, droppedFreshness, droppedFeedCap, droppedCategoryCap, foldedCount },
    },
  };
}

interface Stories {
  readonly memory: readonly RememberedStory[];
  /** By mention. */
  readonly storyOf: ReadonlyMap<string, RememberedStory>;
  /** By id, the entries of a story, newest first. */
  readonly entriesOf: ReadonlyMap<string, readonly FreshEntry[]>;
}

function storiesOf(fresh: readonly FreshEntry[], memory: readonly RememberedStory[], now: number): Stories {
  const mentions = new Map<string, FreshEntry>();
  for (const one of fresh) if (!mentions.has(one.mention)) mentions.set(one.mention, one);
  const known = knownStories(
    [...mentions.values()].map(({ feed, entry, publishedAt }) => {
      return { title: entry.title, link: entry.link, language: feed.language, publisher: feed.publisher, publishedAt };
    }),
    memory,
    now,
  );
  const storyOf = new Map<string, RememberedStory>();
  for (const [place, key] of [...mentions.keys()].entries()) {
    const story = known.storyOf[place];
    if (story !== undefined) storyOf.set(key, story);
  }
  const entriesOf = new Map<string, FreshEntry[]>();
  for (const one of fresh) {
    const id = storyOf.get(one.mention)?.id ?? "";
    const entries = entriesOf.get(id);
    if (entries === undefined) entriesOf.set(id, [one]);
    else entries.push(one);
  }
  return { memory: known.memory, storyOf, entriesOf };
}

/** Makes the item of an entry, once however many categories it stands in. */
function itemMaker(
  fresh: readonly FreshEntry[],
  { storyOf, entriesOf }: Stories,
  now: number,
  classify: DigestGiven["classify"],
): (one: FreshEntry) => DigestItem {
  const finder = nameFinder(fresh.map(({ feed, entry }) => ({ title: entry.title, language: feed.language })));
  const named = fresh.map(({ feed, entry, publishedAt }) => {
    const names = finder.namesIn(entry.title, feed.language);
    return { names, publisher: feed.publisher, tier: feed.tier, publishedAt };
  });
  const buckets = entityBuckets(named, now);
  const bucketOf = new Map(fresh.map((one, place) => [one, buckets[place]]));
  const made = new Map<FreshEntry, DigestItem>();
  return (one) => {
    const known = made.get(one);
    if (known !== undefined) return known;
    const story = storyOf.get(one.mention);
    if (story === undefined) throw new Error(`no story has ${one.entry.link}`);
    const item = digestItem({
      ...{ ...one, story, now, bucket: bucketOf.get(one), mentions: entriesOf.get(story.id) ?? [] },
      titleClass: classify(one.entry.title, one.feed.language),
    });
    made.set(one, item);
    return item;
  };
}

type Coverage = Omit<
  DigestCounts,
  "droppedUndated" | "droppedFreshness" | "droppedFeedCap" | "droppedCategoryCap" | "foldedCount"
>;

function coverageOf(
  categories: readonly CategoryFeeds[],
  built: readonly DigestCategory[],
  readings: readonly FeedReading[],
  feedTotal: number,
): Coverage {
  const completed = new Set(
    readings.filter(({ state }) => state === "ok" || state === "empty").map(({ feed }) => feed),
  );
  const inTime = new Set(readings.filter(({ state }) => state !== "timeout").map(({ feed }) => feed));
  const own = new Set(categories.flatMap(({ feeds }) => feeds.map(({ id }) => id)));
  const states = categories.map(({ category, feeds }) => {
    return [category, feeds.some(({ id }) => completed.has(id)) ? "ok" : "missing"] as const;
  });
  const items = built.flatMap((category) => category.items);
  const categoryCompleted = states.filter(([, state]) => state === "ok").length;
  const isWhole = categoryCompleted === categories.length && [...own].every((id) => inTime.has(id));
  return {
    state: items.length === 0 ? "unavailable" : isWhole ? "complete" : "partial",
    itemsServed: items.length,
    publisherCount: new Set(items.map(({ source }) => source)).size,
    ...{ feedTotal, feedCompleted: [...own].filter((id) => completed.has(id)).length },
    ...{ categoryTotal: categories.length, categoryCompleted, categoryStates: Object.fromEntries(states) },
  };
}
