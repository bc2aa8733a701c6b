import { among, type RowTally, silentTally } from "../../../contract/row-tally.js";
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
  /** A feed may be in several categories. */
  readonly feeds: readonly FeedFacts[];
}

export interface DigestContext {
  /** In the order of the answer. */
  readonly categories: readonly CategoryFeeds[];
  /** The newest reading of each feed. A feed that was never requested has none. */
  readonly readings: readonly FeedReading[];
  /** The entries of each feed, in the order of the feed. Entries of feeds outside all categories are ignored. */
  readonly entries: readonly FeedEntry[];
  /** The memory that the previous build returned. */
  readonly memory: readonly RememberedStory[];
  /** Epoch ms. */
  readonly now: number;
  readonly classify: (title: string, language: string) => TitleClass;
  /** Records the entries that are not served, by reason. Default: nothing is recorded. */
  readonly tally?: RowTally;
}

export interface Digest {
  /** In the given order, including categories without items. */
  readonly categories: readonly DigestCategory[];
  /** The stories of the last seven days, for the next build. */
  readonly memory: readonly RememberedStory[];
  readonly coverage: DigestCounts;
  /** By feed id. Only feeds with problems have a status. */
  readonly feedStatuses: Readonly<Record<string, FeedStatus>>;
}

/**
 * Builds the scored digest from the feeds' entries. The function is pure: equal arguments yield equal digests. The
 * order of the entries matters only if a feed repeats a link: the first entry with the link is used. Only the newest
 * five entries of each feed can be served, but stories include all entries that are at most four days old, so that
 * corroboration counts every publisher.
 */
export function buildDigest(context: DigestContext): Digest {
  const { categories, readings, entries, memory, now, classify, tally = silentTally } = context;
  const feeds = new Map(categories.flatMap((row) => row.feeds).map((feed) => [feed.id, feed]));
  const intake = digestIntake(feeds, readings, entries, now, tally);
  const stories = storiesOf(intake.fresh, memory, now);
  const items = itemMaker(intake.fresh, stories, now, classify);

  let [foldedCount, droppedCategoryCap, candidateCount] = [0, 0, 0];
  const built = categories.map(({ category, feeds: own }): DigestCategory => {
    const candidates = [...new Set(own.map(({ id }) => id))].flatMap((id) => intake.candidates.get(id) ?? []);
    const all = candidates.map(items);
    const { kept, folded } = oncePerStory(all);
    tally.narrowed("another headline of a story", all, kept, among(kept));
    const served = withinCategoryCap(kept);
    tally.narrowed("beyond the first twenty of a category", kept, served.kept, among(served.kept));
    candidateCount += candidates.length;
    foldedCount += folded;
    droppedCategoryCap += served.dropped;
    return { category, items: served.kept };
  });
  const intakeCount = [...intake.candidates.values()].reduce((sum, own) => sum + own.length, 0);
  tally.made("entry in a further category", candidateCount - intakeCount);
  const { droppedUndated, droppedFreshness, droppedFeedCap, feedStatuses } = intake;
  return {
    categories: built,
    memory: stories.memory,
    feedStatuses,
    coverage: {
      ...coverageOf(categories, built, readings, feeds.size),
      droppedUndated,
      droppedFreshness,
      droppedFeedCap,
      droppedCategoryCap,
      foldedCount,
    },
  };
}

interface Stories {
  readonly memory: readonly RememberedStory[];
  /** The story of each mention, by the mention's key. */
  readonly storyOf: ReadonlyMap<string, RememberedStory>;
  /** The entries of each story, newest first, by the story's id. */
  readonly entriesOf: ReadonlyMap<string, readonly FreshEntry[]>;
}

function storiesOf(fresh: readonly FreshEntry[], memory: readonly RememberedStory[], now: number): Stories {
  const mentions = new Map<string, FreshEntry>();
  for (const entry of fresh) if (!mentions.has(entry.mention)) mentions.set(entry.mention, entry);
  const stories = knownStories(
    [...mentions.values()].map(({ feed, entry, publishedAt }) => {
      return { title: entry.title, link: entry.link, language: feed.language, publisher: feed.publisher, publishedAt };
    }),
    memory,
    now,
  );
  const storyOf = new Map<string, RememberedStory>();
  for (const [place, key] of [...mentions.keys()].entries()) {
    const story = stories.storyOf[place];
    if (story !== undefined) storyOf.set(key, story);
  }
  const entriesOf = new Map<string, FreshEntry[]>();
  for (const entry of fresh) {
    const id = storyOf.get(entry.mention)?.id ?? "";
    const entries = entriesOf.get(id);
    if (entries === undefined) entriesOf.set(id, [entry]);
    else entries.push(entry);
  }
  return { memory: stories.memory, storyOf, entriesOf };
}

/** Returns a function that builds the item of an entry. An entry in several categories is built once. */
function itemMaker(
  fresh: readonly FreshEntry[],
  { storyOf, entriesOf }: Stories,
  now: number,
  classify: DigestContext["classify"],
): (candidate: FreshEntry) => DigestItem {
  const finder = nameFinder(fresh.map(({ feed, entry }) => ({ title: entry.title, language: feed.language })));
  const named = fresh.map(({ feed, entry, publishedAt }) => {
    const names = finder.namesIn(entry.title, feed.language);
    return { names, publisher: feed.publisher, tier: feed.tier, publishedAt };
  });
  const buckets = entityBuckets(named, now);
  const bucketOf = new Map(fresh.map((candidate, place) => [candidate, buckets[place]]));
  const items = new Map<FreshEntry, DigestItem>();
  return (candidate) => {
    const cachedItem = items.get(candidate);
    if (cachedItem !== undefined) return cachedItem;
    const story = storyOf.get(candidate.mention);
    if (story === undefined) throw new Error(`no story has ${candidate.entry.link}`);
    const item = digestItem({
      ...candidate,
      story,
      now,
      bucket: bucketOf.get(candidate),
      mentions: entriesOf.get(story.id) ?? [],
      titleClass: classify(candidate.entry.title, candidate.feed.language),
    });
    items.set(candidate, item);
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
    feedTotal,
    feedCompleted: [...own].filter((id) => completed.has(id)).length,
    categoryTotal: categories.length,
    categoryCompleted,
    categoryStates: Object.fromEntries(states),
  };
}
