import { HOUR_MS, MINUTE_MS, SECOND_MS } from "./clock.js";
import type { Random } from "./random.js";

const FIRST_RETRY_MS = 5 * SECOND_MS;
const RETRY_FACTOR = 3;
const RETRY_MS_MAX = 4 * HOUR_MS;
/** Maximum wait that a receiver can request. */
const ASKED_WAIT_MS_MAX = HOUR_MS;
/** The last attempt comes this long before a delivery expires. */
const LAST_ATTEMPT_MS = MINUTE_MS;

export interface FailedDelivery {
  /** Number of attempts so far, including the failed one. */
  readonly attempts: number;
  readonly now: number;
  /** Time at which the delivery counts as dead. */
  readonly expiresAt: number;
  /** Earliest time of a retry, as requested by the receiver; undefined if it requested none. */
  readonly retryAt: number | undefined;
}

/** The time of the next attempt; undefined if no time is left for one. The delivery is then dead. */
export function nextAttemptAt(failed: FailedDelivery, random: Random): number | undefined {
  const { attempts, now, expiresAt, retryAt } = failed;
  const wait = Math.min(FIRST_RETRY_MS * RETRY_FACTOR ** (attempts - 1), RETRY_MS_MAX);
  const dueAt = Math.max(now + jittered(wait, random), requestedWait(retryAt, now));
  const at = Math.min(dueAt, expiresAt - LAST_ATTEMPT_MS);
  return at > now ? at : undefined;
}

/** The end of the wait that a receiver requested, at most an hour from now; 0 if it requested none. */
export function requestedWait(retryAt: number | undefined, now: number): number {
  return retryAt === undefined ? 0 : Math.min(retryAt, now + ASKED_WAIT_MS_MAX);
}

/**
 * Returns between 80 and 120 % of a wait, at random, so that deliveries that failed together are not retried together.
 */
export function jittered(wait: number, random: Random): number {
  return Math.round(wait * (0.8 + 0.4 * random()));
}
