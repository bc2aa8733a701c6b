import type { FeedFacts } from "../../digest-records.js";

/** Families behind the mentions of a story, sorted: newsrooms of one owner do not confirm each other. */
export function familiesOf(feeds: readonly Pick<FeedFacts, "family">[]): readonly string[] {
  return [...new Set(feeds.map(({ family }) => family))].sort();
}

/** How many families report a story; at least one, its own. */
export function corroborationCount(families: readonly string[]): number {
  return Math.max(1, families.length);
}

const [POINTS_PER_SOURCE, SOURCES_MAX] = [20, 5];

/** 20 points for each independent source up to five. */
export function corroborationPoints(count: number): number {
  return Math.min(count, SOURCES_MAX) * POINTS_PER_SOURCE;
}
