import type { Clock } from "./clock.js";

export interface BreakerParts {
  readonly clock: Pick<Clock, "now">;
  /** Number of consecutive failures after which calls are refused. */
  readonly failuresMax: number;
  /** Time in ms for which all calls are refused before one call is let through as a probe. */
  readonly restMs: number;
}

/**
 * A circuit breaker: after repeated failures, it refuses calls immediately, so that callers do not all wait for a
 * timeout.
 */
export interface Breaker {
  /** Runs `work`. Throws `BreakerOpen` immediately while calls are refused or while another call runs as a probe. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Lets calls through again. Used when something other than a call shows that calls can succeed again. */
  close(): void;
}

/** A call refused by a breaker. Its cause is the most recent failure. */
export class BreakerOpen extends Error {
  override readonly name = "BreakerOpen";
}

/** Creates a closed breaker. `isFailure` selects the errors that count as failures; other errors count as successes. */
export function createBreaker(
  { clock, failuresMax, restMs }: BreakerParts,
  isFailure: (error: unknown) => boolean = () => true,
): Breaker {
  let failuresInRow = 0;
  let restingUntil = 0;
  let isTrying = false;
  let cause: unknown;

  function close(): void {
    failuresInRow = 0;
  }

  function learn(error: unknown): void {
    if (!isFailure(error)) {
      close();
      return;
    }
    failuresInRow += 1;
    cause = error;
    restingUntil = clock.now() + restMs;
  }

  async function watched<T>(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      close();
      return value;
    } catch (error) {
      learn(error);
      throw error;
    }
  }

  /** True until the pause is over. If the clock is set back, the pause lasts at most `restMs` from then. */
  const isResting = (): boolean => {
    const leftMs = restingUntil - clock.now();
    return leftMs > 0 && leftMs <= restMs;
  };

  return {
    async run(work) {
      if (failuresInRow < failuresMax) return await watched(work);
      if (isTrying || isResting()) throw new BreakerOpen("refused, because the last calls failed", { cause });
      isTrying = true;
      try {
        return await watched(work);
      } finally {
        isTrying = false;
      }
    },
    close,
  };
}
