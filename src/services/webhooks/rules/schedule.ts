import { MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import type { Random } from "../../../kit/random.js";
import { jittered } from "../../../kit/retry-schedule.js";

/** Consecutive failures after which an endpoint is considered down. */
export const DOWN_AFTER_FAILURES = 5;
/** Wait before the first probe, a single attempt at an endpoint that is down. The wait doubles after a failed probe. */
const FIRST_PROBE_MS = 5 * SECOND_MS;
const PROBE_FACTOR = 2;
const PROBE_MS_MAX = 10 * MINUTE_MS;

/**
 * Returns the time until which an endpoint rests after this many consecutive failures; 0 below `DOWN_AFTER_FAILURES`.
 */
export function restsUntil(
  { failures, now }: { readonly failures: number; readonly now: number },
  random: Random,
): number {
  if (failures < DOWN_AFTER_FAILURES) return 0;
  const wait = Math.min(FIRST_PROBE_MS * PROBE_FACTOR ** (failures - DOWN_AFTER_FAILURES), PROBE_MS_MAX);
  return now + jittered(wait, random);
}
