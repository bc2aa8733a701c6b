/*
 * src/upstream/retry-after.ts parses the `Retry-After` header of upstreams. The SDK is a separate package and may not
 * import that file, so both files contain the pattern of a date.
 */

/**
 * Returns the wait in ms that a `Retry-After` header requests, whether in seconds or as an HTTP date; undefined if the
 * header is missing or malformed.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // `Date.parse` alone would accept nearly anything.
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
