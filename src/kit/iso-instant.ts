/**
 * Parses an ISO 8601 instant that has seconds and an offset (`2026-11-18T20:00:00+09:00`) into epoch ms; undefined for
 * any other text.
 */
export function isoInstant(text: string): number | undefined {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  // The day is checked separately, because Date.parse rolls 31 February over into March.
  const isReal =
    Number(text.slice(8, 10)) <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  return Number.isNaN(at) || !isReal ? undefined : at;
}
