import { ApiError, ConnectionError, TimeoutError, type VigilError } from "./errors.js";

/**
 * The longest wait before the first retry if the service does not request a wait. The longest wait doubles with each
 * further retry, up to `waitMsMax`.
 */
const WAIT_MS = 500;
/** Longest random addition to a wait that the service asks for, so that clients do not all retry at the same time. */
export const SPREAD_MS = 1_000;
/** Statuses after which another attempt may succeed. */
const TEMPORARY: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

interface Bounds {
  readonly retriesMax: number;
  readonly waitMsMax: number;
}

/**
 * Returns the wait before the next attempt. Undefined if no attempts are left, if the error is permanent, or if the
 * service requests a wait longer than `waitMsMax`; otherwise the wait is at least as long as the service requests.
 * `attempt` is 1 after the first attempt.
 */
export function waitBefore(
  error: VigilError,
  attempt: number,
  { retriesMax, waitMsMax }: Bounds,
  random: () => number,
): number | undefined {
  if (attempt > retriesMax || !isTemporary(error)) return undefined;
  const backOffMs = Math.min(WAIT_MS * 2 ** (attempt - 1), waitMsMax);
  // A random time between half of the wait and the whole wait.
  const jitteredMs = Math.round(backOffMs * (1 + random()) * 0.5);
  const askedMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  if (askedMs === undefined) return jitteredMs;
  if (askedMs > waitMsMax) return undefined;
  return Math.round(askedMs + random() * SPREAD_MS);
}

/** True if another attempt may succeed. */
export function isTemporary(error: VigilError): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  if (!(error instanceof ApiError)) return false;
  // The first call with this idempotency key is still running.
  const isRunning = error.status === 409 && error.retryAfterMs !== undefined;
  return isRunning || TEMPORARY.includes(error.status);
}
