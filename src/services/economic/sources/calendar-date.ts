import { BadRow } from "../../../contract/source.js";

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Returns the UTC midnight of an ISO calendar date (`2026-08-03`), epoch ms; throws `BadRow` for a date that does not
 * exist.
 */
export function utcMidnight(text: string): number {
  const at = ISO_DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse reads 2026-02-31 as a day in March, so the parsed date must be equal to the text.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) {
    throw new BadRow(`"${text}" is not a calendar date (YYYY-MM-DD)`);
  }
  return at;
}

/** Returns the UTC midnight of the first day of a month, epoch ms; throws `BadRow` for any other day. */
export function utcMonth(text: string): number {
  if (!text.endsWith("-01")) throw new BadRow(`"${text}" is not the first of a month`);
  return utcMidnight(text);
}
