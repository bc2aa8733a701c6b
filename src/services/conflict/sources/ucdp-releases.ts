/** Annual releases that are tried; that of a year comes out around its middle. */
const YEARS_TRIED = 3;
/** Monthly releases that are tried, from that of next month back. */
const MONTHS_TRIED = 5;
/** From this month on an annual release holds all of the year before. */
const ANNUAL_OUT_MONTH = 7;

/** A monthly candidate release, which holds the events of its month alone. */
export interface CandidateRelease {
  /** 2026. */
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

/** The years whose annual releases may exist, newest first. */
export function annualYears(now: number): readonly number[] {
  const year = new Date(now).getUTCFullYear();
  return Array.from({ length: YEARS_TRIED }, (_, back) => year - back);
}

/** The candidate releases that may be the newest, newest first. */
export function newestCandidates(now: number): readonly CandidateRelease[] {
  const date = new Date(now);
  const thisMonth = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
  return Array.from({ length: MONTHS_TRIED }, (_, back) => monthsBefore(thisMonth, back - 1));
}

/** The candidate releases before the newest one, back to what the last annual release holds, newest first. */
export function earlierCandidates(newest: CandidateRelease): readonly CandidateRelease[] {
  const count = newest.month < ANNUAL_OUT_MONTH ? newest.month + 11 : newest.month - 1;
  return Array.from({ length: count }, (_, index) => monthsBefore(newest, index + 1));
}

function monthsBefore({ year, month }: CandidateRelease, months: number): CandidateRelease {
  const date = new Date(Date.UTC(year, month - 1 - months));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}
