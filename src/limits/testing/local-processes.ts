import { type ManualClock, manualClock } from "../../kit/manual-clock.js";
import { GrantBook } from "../grant-book.js";
import { type GrantedLimiter, grantedLimiter } from "../granted-limiter.js";

/** Simulates, in one process, the limiters of several processes that share counters. Timers run only in `runTimers`. */
export interface LocalProcesses {
  readonly limiters: readonly GrantedLimiter[];
  readonly book: GrantBook;
  readonly clock: ManualClock;
  /** Number of times that the processes have called `take` of the counters, in total. */
  readonly askedCount: number;
  /** Makes a process ignore recalls and no longer report the end of its grants. */
  fallSilent(processId: number): void;
  /** Runs every active timer of the counters. */
  runTimers(): void;
}

export function localProcesses(count: number): LocalProcesses {
  const silent = new Set<number>();
  const timers = new Set<() => void>();
  let askedCount = 0;
  const clock = manualClock(Date.UTC(2026, 10, 20, 12));
  const book: GrantBook = new GrantBook({
    clock,
    processes: () => count,
    recall: (processId, grantId) => {
      if (!silent.has(processId)) limiters[processId]?.recall(grantId);
    },
    schedule: (callback) => {
      timers.add(callback);
      return () => timers.delete(callback);
    },
  });
  const limiters: readonly GrantedLimiter[] = Array.from({ length: count }, (_, processId) =>
    grantedLimiter({
      counters: {
        take: (charges, now) => {
          askedCount += 1;
          return book.take(processId, charges, now);
        },
        look: async (charges, now) => book.look(charges, now),
        giveBack: (id, indexes) => book.giveBack(id, indexes),
        end: (grantId, use) => {
          if (!silent.has(processId)) book.end(grantId, use);
        },
      },
      schedule: () => () => undefined,
    }),
  );
  return {
    limiters,
    book,
    clock,
    get askedCount() {
      return askedCount;
    },
    fallSilent: (processId) => void silent.add(processId),
    runTimers() {
      for (const callback of [...timers]) {
        timers.delete(callback);
        callback();
      }
    },
  };
}
