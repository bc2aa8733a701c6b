import type { FeedFacts } from "../../digest-records.js";

/**
 * Lists the families of publishers that mention a story, sorted. Publishers with the same owner or newsroom are one
 * family and do not corroborate each other.
 */
export function familiesOf(feeds: readonly Pick<FeedFacts, "family">[]): readonly string[] {
  return [...new Set(feeds.map(({ family }) => family))].sort();
}

/** Counts the families that report a story; at least one. */
export function corroborationCount(families: readonly string[]): number {
  return Math.max(1, families.length);
}

const [POINTS_PER_SOURCE, SOURCES_MAX] = [20, 5];

/** Returns 20 points for each independent source, up to five sources. */
export function corroborationPoints(count: number): number {
  return Math.min(count, SOURCES_MAX) * POINTS_PER_SOURCE;
}
