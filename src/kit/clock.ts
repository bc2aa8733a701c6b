/**
 * A source of time. In the service, only this file reads the machine's time; all other code receives a `Clock`, so that
 * tests can control time. The SDK is a separate package and reads the time in `sdk/platform.ts`.
 */
export interface Clock {
  /** Now, as epoch milliseconds UTC. */
  now(): number;
  /** Resolves after `ms`; if the signal aborts first, rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Longest delay that Node's timers support without overflow (2^31 - 1 ms). A longer sleep ends after this delay. */
const TIMER_MS_MAX = 2_147_483_647;

/** The machine's clock. Sleeping does not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(done, Math.min(Math.max(ms, 0), TIMER_MS_MAX));
      timer.unref();
      function done(): void {
        signal?.removeEventListener("abort", cancelled);
        resolve();
      }
      function cancelled(): void {
        clearTimeout(timer);
        reject(signal?.reason);
      }
      signal?.addEventListener("abort", cancelled, { once: true });
    }),
};

/**
 * The clock `base`, shifted so that it reads `startAt` now. Used to replay recorded payloads at the time of their
 * recording.
 */
export function clockStartingAt(startAt: number, base: Clock = systemClock): Clock {
  return clockAhead(startAt - base.now(), base);
}

/** The clock `base`, shifted by `aheadMs`. */
export function clockAhead(aheadMs: number, base: Clock = systemClock): Clock {
  return { now: () => base.now() + aheadMs, sleep: base.sleep };
}

/** Milliseconds since a fixed moment, for measuring durations. Changes of the wall clock do not affect this time. */
export function monotonicMs(): number {
  return performance.now();
}

/**
 * True while fewer than `ms` have passed since `since`. False if the clock was set back to before `since`, so that a
 * clock that was ahead does not extend a period.
 */
export function isWithin(now: number, since: number, ms: number): boolean {
  const age = now - since;
  return age >= 0 && age < ms;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * If a timestamp is ahead of this node's clock by at most this time, the clock of the node that wrote it is assumed to
 * be slightly ahead.
 */
export const CLOCK_AHEAD_MS_MAX = 30 * SECOND_MS;
