import type { Clock } from "./clock.js";

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
}

/** A clock for tests that advances only on request. */
export interface ManualClock extends Clock {
  /** Advances time and wakes every due sleeper in order of time. */
  advance(ms: number): void;
  set(now: number): void;
  /** Number of sleeping callers. A test can wait until its callers sleep before it advances the clock. */
  readonly sleeping: number;
}

export function manualClock(startAt: number): ManualClock {
  let now = startAt;
  const sleepers = new Set<Sleeper>();

  function moveTo(target: number): void {
    now = target;
    const due = [...sleepers].filter((sleeper) => sleeper.wakeAt <= now).sort((a, b) => a.wakeAt - b.wakeAt);
    for (const sleeper of due) {
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper: Sleeper = {
          wakeAt: now + ms,
          wake: () => {
            signal?.removeEventListener("abort", cancelled);
            resolve();
          },
        };
        function cancelled(): void {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        }
        sleepers.add(sleeper);
        signal?.addEventListener("abort", cancelled, { once: true });
      }),
    advance: (ms) => moveTo(now + ms),
    set: moveTo,
    get sleeping() {
      return sleepers.size;
    },
  };
}
