import type { Random } from "../../../kit/random.js";
import type { WatchDefinition } from "../records.js";

type Threshold = NonNullable<WatchDefinition["threshold"]>;

/** A random whole number from 0 up to, but not including, a limit. */
export const whole = (random: Random, below: number): number => Math.floor(random() * below);

export const pick = <T>(random: Random, items: readonly T[]): T => items[whole(random, items.length)] as T;

/**
 * Makes two thresholds with the same random limit: one fires above the limit, the other below it. Each clears at the
 * limit, or on the side of the limit where it does not fire.
 */
export function randomThresholds(random: Random, limitBelow: number): readonly Threshold[] {
  const limit = whole(random, limitBelow);
  const gap = whole(random, 3);
  return [
    { above: limit, ...(gap > 0 && { clearsAt: limit - gap }) },
    { below: limit, ...(gap > 0 && { clearsAt: limit + gap }) },
  ];
}
