import { MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import type { Random } from "../kit/random.js";
import type { DatasetStatus } from "../snapshots/generation.js";

/** Delay of the next run if the last run reached its time limit before all requests were sent. */
export const CONTINUED_AFTER_MS = 5 * SECOND_MS;
const RETRY_FIRST_MS = MINUTE_MS;
const RETRY_MAX_MS = 60 * MINUTE_MS;
/**
 * Runs are shifted randomly by up to this share of the delay, so that installations do not all send requests in the
 * same second.
 */
const JITTER_RATIO = 0.1;

/** Returns the time of the next run, epoch ms: one cadence later, or sooner after failures, with backoff. */
export function nextRunAt(run: {
  readonly now: number;
  readonly cadenceMs: number;
  readonly failuresInRow: number;
  readonly random: Random;
}): number {
  const { now, cadenceMs, failuresInRow, random } = run;
  const waitMs = failuresInRow === 0 ? cadenceMs : Math.min(cadenceMs, retryMsAfter(failuresInRow));
  return Math.round(now + waitMs * (1 + JITTER_RATIO * (2 * random() - 1)));
}

function retryMsAfter(failuresInRow: number): number {
  return Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (failuresInRow - 1));
}

/** True if the last run reached its time limit before all requests were sent, so that the next run continues it. */
export function isContinued({ attemptedAt, nextAt }: Pick<DatasetStatus, "attemptedAt" | "nextAt">): boolean {
  return nextAt !== null && nextAt - attemptedAt <= CONTINUED_AFTER_MS * (1 + JITTER_RATIO);
}
