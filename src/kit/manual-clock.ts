import type { Clock } from "./clock.js";

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is told to move, for tests. */
export interface ManualClock extends Clock {
  /** Moves time forward and wakes every sleeper that is due, in order of time. */
  advance(ms: number): void;
  set(now: number): void;
  /** How many callers are asleep, so that a test can wait for them instead of sleeping itself. */
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
