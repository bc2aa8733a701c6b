import { type DigestVariant, digestVariants } from "./digest-variants.js";
import { feedFile } from "./feed-file.js";
import type { Feed } from "./feed-row.js";

/** Minimum number of feeds that a language needs for a digest. English always has a digest. */
const LANGUAGE_FEEDS_MIN = 2;

/** Every feed of the built-in catalogue, in the order of its file. */
export const feedCatalogue: readonly Feed[] = feedFile.map(({ feed }) => feed);

/** The languages of the digest, sorted: English, and every other language with at least two feeds. */
export const digestLanguages: readonly string[] = languagesOf(feedCatalogue);

/** Returns English and every language that has at least `LANGUAGE_FEEDS_MIN` of the given feeds, sorted. */
export function languagesOf(feeds: readonly Feed[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { language } of feeds) {
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return ["en", ...[...counts].filter(([, count]) => count >= LANGUAGE_FEEDS_MIN).map(([language]) => language)].sort();
}

/**
 * Selects the feeds of a variant and language, by category. Categories are in the order of the answer, and feeds in the
 * order of the given list. A feed is selected if it has no language tag, is tagged with the requested language, or is
 * marked `byDefault`. Categories without feeds are included. A feed with two categories is listed in both.
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
