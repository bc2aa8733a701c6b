import { DAY_MS, HOUR_MS } from "../kit/clock.js";

/** The age at which a part's newest observation stops counting as current. */
export interface AgeLimit {
  readonly maxMs: number;
  /**
   * Length of the period that an observation covers, starting at its date. The age counts from the end of the period: a
   * mean of 2025 dated 1 January 2025 has an age of 0 on 1 January 2026. Default: 0.
   */
  readonly coversMs?: number;
}

/** Marks a part whose content does not age, and states the reason. */
export interface Ageless {
  readonly agelessBecause: string;
}

export type ContentAge = AgeLimit | Ageless;

export function isAgeLimit(age: ContentAge): age is AgeLimit {
  return "maxMs" in age;
}

/**
 * The limits of one dataset. A limit is the publisher's usual delay plus the time between two releases, so that one
 * release may be missed. Months are dated to their first day, so with a limit of 75 days the figure for January counts
 * as current until mid-March.
 */
export interface ContentAges {
  /** The dataset is stale once its newest observation (`newestAt`) has this age. Default: no limit. */
  readonly wholeMs?: number;
  readonly parts: Readonly<Record<string, ContentAge>>;
}

export const hours = (count: number): AgeLimit => ({ maxMs: count * HOUR_MS });
export const days = (count: number): AgeLimit => ({ maxMs: count * DAY_MS });
export const ageless = (reason: string): Ageless => ({ agelessBecause: reason });

/** Gives several parts the same limit. */
export const each = <Part extends string>(
  limit: AgeLimit,
  ...parts: readonly Part[]
): Readonly<Record<Part, AgeLimit>> =>
  // The cast is safe, because each part becomes a key. The result type of `Object.fromEntries` does not include the
  // keys.
  Object.fromEntries(parts.map((part) => [part, limit])) as Record<Part, AgeLimit>;
