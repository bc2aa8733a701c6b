import type { Clock } from "./clock.js";

export interface BreakerParts {
  readonly clock: Pick<Clock, "now">;
  /** Failures in a row after which calls are refused. */
  readonly failuresMax: number;
  /** Time in ms for which calls are refused before one of them tries again. */
  readonly restMs: number;
}

/** Keeps calls from waiting, one after the other, for something that does not answer. */
export interface Breaker {
  /** Runs `work`. Throws `BreakerOpen` at once while calls are refused or another call tries whether it works again. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Lets calls through again, where it is known from elsewhere that they will be answered. */
  close(): void;
}

/** A call that a breaker refused. Its cause is the failure that was seen last. */
export class BreakerOpen extends Error {
  override readonly name = "BreakerOpen";
}

/** `isFailure` tells the errors that count from answers that are errors. */
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

  /** Whether the rest is not over yet. A clock that was set back does not make it longer. */
  const isResting = (): boolean => {
    const leftMs = restingUntil - clock.now();
    return leftMs > 0 && leftMs <= restMs;
  };

  return {
    async run(work) {
      if (failuresInRow < failuresMax) return await watched(work);
      if (isTrying || isResting()) throw new BreakerOpen("it failed several times in a row", { cause });
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
