/** The facts about an item that decide its buckets. */
export interface NamedItem {
  readonly names: readonly string[];
  readonly publisher: string;
  readonly tier: number;
  readonly publishedAt: number;
}

/** A group of items that have the same two names in their titles. */
export interface EntityBucket {
  readonly names: readonly string[];
  /** At least two. */
  readonly publisherCount: number;
  /** The number of these publishers that have tier 1 or 2. */
  readonly reliableCount: number;
}

const WINDOW_MS = 24 * 3_600_000;
const [PUBLISHERS_MIN, RELIABLE_TIER] = [2, 2];

/**
 * Returns for each item its bucket with the most publishers, or undefined if the item is in no bucket. A bucket
 * contains the items of the last day that have the same two names. One shared name is not enough, because half of a
 * day's news may mention the same president. The cost is linear in the number of items, because a title has few names.
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
