import { type DigestVariant, digestVariants } from "./digest-variants.js";
import { feedFile } from "./feed-file.js";
import type { Feed } from "./feed-row.js";

/** Fewer feeds of a language are no digest. */
const LANGUAGE_FEEDS_MIN = 2;

/** Every feed of our own, in the order of the list. */
export const feedCatalogue: readonly Feed[] = feedFile.map(({ feed }) => feed);

/** Languages of the digest, sorted: English, and every other that at least two feeds are written in. */
export const digestLanguages: readonly string[] = languagesOf(feedCatalogue);

/** Languages that these feeds make a digest of, sorted. */
export function languagesOf(feeds: readonly Feed[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { language } of feeds) {
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return ["en", ...[...counts].filter(([, count]) => count >= LANGUAGE_FEEDS_MIN).map(([language]) => language)].sort();
}

/**
 * The feeds that run for a variant and language, by category in the order of the answer and then of the list. A feed
 * runs when it has no language tag, is tagged with the one asked for, or runs by default. Every category is there,
 * also without feeds; a feed of two categories is in both.
 */
export function feedsFor(
  feeds: readonly Feed[],
  variant: DigestVariant,
  language: string,
): ReadonlyMap<string, readonly Feed[]> {
  const running = feeds.filter((feed) => runsIn(feed, language));
  return new Map(
    digestVariants[variant].map((category) => [
      category,
      running.filter(({ placements }) => placements.some((at) => at.variant === variant && at.category === category)),
    ]),
  );
}

function runsIn(feed: Feed, language: string): boolean {
  return feed.language === undefined || feed.language === language || feed.byDefault === true;
}
