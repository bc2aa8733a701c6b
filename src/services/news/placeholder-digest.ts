import type { Digest, DigestGiven } from "./build-digest.js";
import type { DigestItem, FeedFacts, FeedReading } from "./digest-records.js";

const PER_CATEGORY = 20;

/** A digest without judgement: the newest entries of each category. It stands in until stories are scored. */
export function placeholderDigest({ categories, readings, entries, memory }: DigestGiven): Digest {
  const readingOf = new Map(readings.map((reading) => [reading.feed, reading]));
  const isCompleted = ({ id }: FeedFacts): boolean => isRead(readingOf.get(id));
  const served = categories.map(({ category, feeds }) => {
    const byId = new Map(feeds.map((feed) => [feed.id, feed]));
    const items = entries.flatMap((entry): DigestItem[] => {
      const feed = byId.get(entry.feed);
      if (!feed || entry.publishedAt === undefined) return [];
      const { title, link, publishedAt, snippet } = entry;
      return [
        {
          ...{ source: feed.publisher, title, link, publishedAt, snippet, isAlert: false },
          ...{ importanceScore: 0, credibilityScore: 0, corroborationCount: 1, storyId: link },
          ...{ feed: feed.id, language: feed.language },
          explain: {
            ...{ importance: [], credibility: [], level: { classified: "info", applied: "info" } },
            ...{ entities: { names: [], publisherCount: 0 }, families: [feed.family], mentions: [] },
          },
        },
      ];
    });
    return { category, feeds, items: items.sort((a, b) => b.publishedAt - a.publishedAt) };
  });
  const feeds = new Map(categories.flatMap((one) => one.feeds.map((feed) => [feed.id, feed] as const)));
  const completed = served.filter((one) => one.feeds.some(isCompleted));
  const kept = served.map(({ category, items }) => ({ category, items: items.slice(0, PER_CATEGORY) }));
  const items = kept.flatMap((one) => one.items);
  const isLate = readings.some(({ state }) => state === "timeout");
  return {
    categories: kept,
    memory,
    coverage: {
      state: items.length === 0 ? "unavailable" : isLate || completed.length < served.length ? "partial" : "complete",
      itemsServed: items.length,
      publisherCount: new Set(items.map(({ source }) => source)).size,
      feedTotal: feeds.size,
      feedCompleted: [...feeds.values()].filter(isCompleted).length,
      categoryTotal: served.length,
      categoryCompleted: completed.length,
      droppedUndated: readings.reduce((sum, { undated }) => sum + undated, 0),
      droppedFreshness: 0,
      droppedFeedCap: 0,
      droppedCategoryCap: served.reduce((sum, one) => sum + Math.max(0, one.items.length - PER_CATEGORY), 0),
      foldedCount: 0,
      categoryStates: Object.fromEntries(
        served.map((one) => [one.category, completed.includes(one) ? "ok" : "missing"]),
      ),
    },
    feedStatuses: Object.fromEntries(
      readings.flatMap(({ feed, state }) =>
        state === "ok" ? [] : [[feed, state === "timeout" ? "timeout" : "empty"] as const],
      ),
    ),
  };
}

function isRead(reading: FeedReading | undefined): boolean {
  return reading?.state === "ok" || reading?.state === "empty";
}
