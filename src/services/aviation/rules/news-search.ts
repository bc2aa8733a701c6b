import { createHash } from "node:crypto";
import { type RowTally, silentTally } from "../../../contract/row-tally.js";
import type { AviationHeadline, AviationNewsItem } from "../records/news-records.js";

const SNIPPET_CHARACTERS_MAX = 200;
const ID_CHARACTERS = 32;

/** A search in the headlines. */
export interface NewsQuestion {
  /** In upper case; an empty list matches all headlines. */
  readonly entities: readonly string[];
  /** Headlines dated before this are left out; epoch ms. */
  readonly since: number;
  readonly itemsMax: number;
}

/** Selects the matching headlines, in the order of `headlines`. */
export function newsItems(
  headlines: readonly AviationHeadline[],
  { entities, since, itemsMax }: NewsQuestion,
  tally: RowTally = silentTally,
): AviationNewsItem[] {
  const matches = tally.filter(headlines, {
    windowHours: ({ publishedAt }) => publishedAt >= since,
    entities: entities.length > 0 && ((headline) => namedIn(headline, entities).length > 0),
  });
  return tally.first("maxItems", matches, itemsMax).map((headline) => itemOf(headline, namedIn(headline, entities)));
}

/** Returns the time at which the next headline leaves the window, epoch ms; infinity if the window is empty. */
export function nextExpiry(headlines: readonly AviationHeadline[], windowMs: number, now: number): number {
  const within = headlines.map(({ publishedAt }) => publishedAt).filter((at) => at >= now - windowMs);
  return within.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...within) + windowMs + 1;
}

function namedIn({ title, teaser }: AviationHeadline, entities: readonly string[]): string[] {
  const text = `${title}\n${teaser}`.toUpperCase();
  return entities.filter((entity) => text.includes(entity));
}

function itemOf({ teaser, ...headline }: AviationHeadline, matchedEntities: string[]): AviationNewsItem {
  return {
    id: idOf(headline.url),
    ...headline,
    ...(teaser !== "" && { snippet: snippetOf(teaser) }),
    matchedEntities,
  };
}

/** Returns an id derived from the canonical link, stable across builds. */
function idOf(url: string): string {
  return createHash("sha256").update(url).digest("base64url").slice(0, ID_CHARACTERS);
}

/** Shortens a teaser to at most 200 characters. A shortened teaser ends with an ellipsis. */
function snippetOf(teaser: string): string {
  const characters = Array.from(teaser);
  if (characters.length <= SNIPPET_CHARACTERS_MAX) return teaser;
  return `${characters
    .slice(0, SNIPPET_CHARACTERS_MAX - 1)
    .join("")
    .trimEnd()}…`;
}
