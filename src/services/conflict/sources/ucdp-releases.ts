/** Number of annual releases to try. The release of a year appears around the middle of that year. */
const YEARS_TRIED = 3;
/** Number of monthly releases to try, counting back from next month's. */
const MONTHS_TRIED = 5;
/**
 * By the time a candidate release for July or a later month is published, the annual release of that year is out. The
 * annual release contains the events up to the end of the previous year, so only the candidate releases of the same
 * year are needed.
 */
const ANNUAL_OUT_MONTH = 7;

/** A monthly candidate release, which has only the events of its own month. */
export interface CandidateRelease {
  /** All four digits, such as 2026. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

/** Returns the years whose annual releases may exist, newest first. */
export function annualYears(now: number): readonly number[] {
  const year = new Date(now).getUTCFullYear();
  return Array.from({ length: YEARS_TRIED }, (_, back) => year - back);
}

/** Returns the candidate releases to try when looking for the newest one, starting with next month's. */
export function newestCandidates(now: number): readonly CandidateRelease[] {
  const date = new Date(now);
  const thisMonth = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
  return Array.from({ length: MONTHS_TRIED }, (_, back) => monthsBefore(thisMonth, back - 1));
}

/**
 * Returns the candidate releases that precede the newest one and whose months the last annual release does not cover,
 * newest first.
 */
export function earlierCandidates(newest: CandidateRelease): readonly CandidateRelease[] {
  const count = newest.month < ANNUAL_OUT_MONTH ? newest.month + 11 : newest.month - 1;
  return Array.from({ length: count }, (_, index) => monthsBefore(newest, index + 1));
}

function monthsBefore({ year, month }: CandidateRelease, months: number): CandidateRelease {
  const date = new Date(Date.UTC(year, month - 1 - months));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}
