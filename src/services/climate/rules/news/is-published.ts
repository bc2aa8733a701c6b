import { HOUR_MS } from "../../../../kit/clock.js";

/** An item dated further ahead than this counts as undated. */
const AHEAD_MS_MAX = HOUR_MS;

/** True for an item that is dated to the past, or to the next hour at most. */
export function isPublished({ publishedAt }: { readonly publishedAt: number }, now: number): boolean {
  return publishedAt <= now + AHEAD_MS_MAX;
}
