import { MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import type { Random } from "../../../kit/random.js";
import { jittered, requestedWait } from "../../../kit/retry-schedule.js";

/** Consecutive failures after which an endpoint is considered down. */
export const DOWN_AFTER_FAILURES = 5;
/** Wait before the first probe, a single attempt at an endpoint that is down. The wait doubles after a failed probe. */
const FIRST_PROBE_MS = 5 * SECOND_MS;
const PROBE_FACTOR = 2;
const PROBE_MS_MAX = 10 * MINUTE_MS;

/**
 * Returns the time until which an endpoint rests after this many consecutive failures. Below `DOWN_AFTER_FAILURES`,
 * returns only the end of the wait that the endpoint requested; 0 if it requested none.
 */
export function restsUntil(
  { failures, now, retryAt }: { readonly failures: number; readonly now: number; readonly retryAt: number | undefined },
  random: Random,
): number {
  const earliestAt = requestedWait(retryAt, now);
  if (failures < DOWN_AFTER_FAILURES) return earliestAt;
  const wait = Math.min(FIRST_PROBE_MS * PROBE_FACTOR ** (failures - DOWN_AFTER_FAILURES), PROBE_MS_MAX);
  return Math.max(now + jittered(wait, random), earliestAt);
}
