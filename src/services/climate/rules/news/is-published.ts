import { HOUR_MS } from "../../../../kit/clock.js";

/** An item dated further ahead than this counts as undated. */
const AHEAD_MS_MAX = HOUR_MS;

/** True for an item dated in the past or at most an hour ahead. */
export function isPublished({ publishedAt }: { readonly publishedAt: number }, now: number): boolean {
  return publishedAt <= now + AHEAD_MS_MAX;
}
