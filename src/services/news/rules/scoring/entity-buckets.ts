/** The facts about an item that buckets use. */
export interface NamedItem {
  readonly names: readonly string[];
  readonly publisher: string;
  readonly tier: number;
  readonly publishedAt: number;
}

/** A group of items that share two names. */
export interface EntityBucket {
  readonly names: readonly string[];
  /** At least two. */
  readonly publisherCount: number;
  /** The publishers of tiers 1 and 2 among them. */
  readonly reliableCount: number;
}

const WINDOW_MS = 24 * 3_600_000;
const [PUBLISHERS_MIN, RELIABLE_TIER] = [2, 2];

/**
 * Returns for each item the bucket with the most publishers, or undefined if the item is in no bucket. A bucket holds
 * the items of the last day that share two names. A single name, such as a president's, would put half a day's news
 * into one bucket. The cost is linear in the number of items, because a title has few names.
 */
export function entityBuckets(items: readonly NamedItem[], now: number): readonly (EntityBucket | undefined)[] {
  const buckets = new Map<string, { names: readonly string[]; publishers: Set<string>; reliable: Set<string> }>();
  const pairs = items.map((item) => (item.publishedAt >= now - WINDOW_MS ? pairsOf(item.names) : []));
  for (const [index, item] of items.entries()) {
    for (const names of pairs[index] ?? []) {
      const key = names.join("\n");
      const bucket = buckets.get(key) ?? { names, publishers: new Set(), reliable: new Set() };
      bucket.publishers.add(item.publisher);
      if (item.tier <= RELIABLE_TIER) bucket.reliable.add(item.publisher);
      buckets.set(key, bucket);
    }
  }
  return pairs.map((own) => {
    let best: EntityBucket | undefined;
    for (const names of own) {
      const bucket = buckets.get(names.join("\n"));
      const publisherCount = bucket?.publishers.size ?? 0;
      if (publisherCount < PUBLISHERS_MIN || publisherCount <= (best?.publisherCount ?? 0)) continue;
      best = { names, publisherCount, reliableCount: bucket?.reliable.size ?? 0 };
    }
    return best;
  });
}

function pairsOf(names: readonly string[]): readonly (readonly [string, string])[] {
  const sorted = [...new Set(names)].sort();
  return sorted.flatMap((name, index) => sorted.slice(index + 1).map((other) => [name, other] as const));
}
