/** The largest age of a part's newest observation at which the part still counts as current. */
export interface AgeLimit {
  readonly maxMs: number;
  /**
   * Time that one observation covers, from the instant that it carries. The age counts from the end of that time: a mean
   * of 2025 dated 1 January 2025 is new on 1 January 2026. Default: 0.
   */
  readonly coversMs?: number;
}

/** A part whose content does not age, and the reason in words. */
export interface Ageless {
  readonly agelessBecause: string;
}

export type ContentAge = AgeLimit | Ageless;

export function isAgeLimit(age: ContentAge): age is AgeLimit {
  return "maxMs" in age;
}
