import { HOUR_MS } from "../../../../kit/clock.js";

/** An item dated further in the future than this is left out. */
const AHEAD_MS_MAX = HOUR_MS;

/** True for an item dated in the past or at most an hour in the future. */
export function isPublished({ publishedAt }: { readonly publishedAt: number }, now: number): boolean {
  return publishedAt <= now + AHEAD_MS_MAX;
}
