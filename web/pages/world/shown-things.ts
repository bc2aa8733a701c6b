import type { Land } from "./map/land.js";
import { isInWindow, type Thing } from "./thing.js";

/** The page's filters. */
export interface Choice {
  /** End of the window, epoch ms. */
  readonly end: number;
  readonly lengthMs: number;
  /** Alpha-2 code, or empty for all. */
  readonly country: string;
}

/** The things in a window and a country, newest first. If a thing names no country, its position decides. */
export function shownThings(
  things: readonly Thing[],
  { end, lengthMs, country }: Choice,
  land: Pick<Land, "isIn"> | undefined,
): readonly Thing[] {
  const isThere = ({ countries, place }: Thing): boolean => {
    if (countries.length > 0) return countries.includes(country);
    return place !== undefined && (land?.isIn(country, place) ?? false);
  };
  return things
    .filter((thing) => isInWindow(thing, end, lengthMs) && (country === "" || isThere(thing)))
    .toSorted((a, b) => (b.at ?? Number.NEGATIVE_INFINITY) - (a.at ?? Number.NEGATIVE_INFINITY) || 0);
}
