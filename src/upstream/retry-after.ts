import { DAY_MS, SECOND_MS } from "../kit/clock.js";

/** Longest wait. A longer `Retry-After` is probably a mistake of the upstream, and is shortened to this wait. */
const WAIT_MS_MAX = DAY_MS;

/** Parses a `Retry-After` header, in seconds or as an HTTP date, to epoch ms; undefined if it is unusable. */
export function retryAtFrom(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  const at = /^\d+$/.test(text) ? now + Number(text) * SECOND_MS : httpDate(text);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at, now), now + WAIT_MS_MAX);
}

/**
 * Accepts only the form of RFC 9110 §5.6.7 ("Sun, 06 Nov 1994 08:49:37 GMT"), because Date.parse alone accepts nearly
 * anything.
 */
function httpDate(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}
