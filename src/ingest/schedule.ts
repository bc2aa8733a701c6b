import type { AnyDataset } from "../contract/dataset.js";
import { MINUTE_MS } from "../kit/clock.js";
import type { Random } from "../kit/random.js";

const RETRY_FIRST_MS = MINUTE_MS;
const RETRY_MAX_MS = 60 * MINUTE_MS;
/** Runs are spread by this share either way, so that many installations do not ask at the same second. */
const JITTER_RATIO = 0.1;

/** Returns the time of the next run, epoch ms: after the cadence, or sooner with backoff after failures. */
export function nextRunAt(given: {
  readonly now: number;
  readonly cadenceMs: number;
  /** After failures, where the dataset has a pace of its own for that. */
  readonly retryMs?: number;
  readonly failuresInRow: number;
  readonly random: Random;
}): number {
  const { now, cadenceMs, failuresInRow, random } = given;
  const waitMs = failuresInRow === 0 ? cadenceMs : Math.min(cadenceMs, given.retryMs ?? patientRetryMs(failuresInRow));
  return Math.round(now + waitMs * (1 + JITTER_RATIO * (2 * random() - 1)));
}

/** The pace of a dataset, for `nextRunAt`: as after a failure where its newest run was cut short. */
export function paceOf(
  { cadenceMs, retryMs }: AnyDataset,
  isCutShort: boolean,
): { readonly cadenceMs: number; readonly retryMs?: number } {
  if (retryMs === undefined) return { cadenceMs };
  return { cadenceMs: isCutShort ? Math.min(cadenceMs, retryMs) : cadenceMs, retryMs };
}

function patientRetryMs(failuresInRow: number): number {
  return Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (failuresInRow - 1));
}
