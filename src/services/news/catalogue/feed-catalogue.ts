import { type DigestVariant, digestVariants } from "./digest-variants.js";
import { feedList, riskGrounds } from "./feed-list.js";
import { type Feed, type FeedRow, feedOf, problemsOfRow } from "./feed-row.js";

/** Fewer feeds of a language are no digest. */
const LANGUAGE_FEEDS_MIN = 2;

/** Every feed of our own, in the order of the list. */
export const feedCatalogue: readonly Feed[] = readFeedList(feedList);

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

/** The feeds of a list in the form that `feed-list.ts` describes. Throws with the row and all that is wrong with it. */
export function readFeedList(text: string): readonly Feed[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines.flatMap((line, index) => {
    if (line.startsWith(" ")) return [];
    const row = rowOf(line, lines[index + 1] ?? "");
    const problems = problemsOfRow(row);
    if (problems.length > 0) throw new Error(`feed "${row.id}" of the list: ${problems.join("; ")}`);
    return [feedOf(row)];
  });
}

function rowOf(line: string, next: string): FeedRow {
  const cells = line.split("|").map((cell) => cell.trim());
  const [id = "", publisher = "", family = "", country = "", tag = "", kind = "", ground = "", places = ""] = cells;
  const [url = "", homepage = "", ...rest] = next.startsWith(" ") ? next.trim().split(/\s+/) : [];
  if (cells.length !== 8 || homepage === "" || rest.length > 0) {
    throw new Error(`feed "${id}" of the list must be a line of 8 columns and one of address and homepage`);
  }
  const language = tag.replace("*", "");
  return {
    id,
    publisher,
    family,
    homepage: `https://${homepage}`,
    url,
    country,
    ...(language !== "-" && { language }),
    ...(tag.endsWith("*") && { byDefault: true }),
    // Whether these are a kind and variants is looked at with everything else of the row.
    kind: kind as FeedRow["kind"],
    risk: riskOf(id, ground),
    placements: places.split(" ").map((place) => {
      const [variant = "", category = ""] = place.split("/");
      return { variant: variant as DigestVariant, category };
    }),
  };
}

function riskOf(id: string, ground: string): FeedRow["risk"] {
  if (ground === "-") return { profile: "unknown", reason: "nobody has looked at it yet" };
  const found = Object.entries(riskGrounds).find(([name]) => name === ground)?.[1];
  if (found) return { ...found };
  throw new Error(`feed "${id}" of the list: ${ground} is no ground of a risk; known are ${Object.keys(riskGrounds)}`);
}
