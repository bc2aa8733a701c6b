import { LRUCache } from "lru-cache";
import { unlessAborted } from "../upstream/time-limit.js";

/** The recent outcomes of requests, shared by equal requests. */
export interface GatheredAnswers<T extends Reusable> {
  /**
   * The answer under `key` while it may be used again, or the one that is being read, or the one that `read` reads; it is
   * given the newest good one before. Rejects when `signal` is aborted first, which ends a reading that nobody else waits
   * for.
   */
  get(
    key: string,
    now: number,
    signal: AbortSignal,
    read: (good: T | undefined, signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
}

export interface Reusable {
  /** Epoch ms until which it is used without asking again. */
  readonly until: number;
  /** It holds what a "not modified" would stand for. */
  readonly isGood: boolean;
}

interface Flight<T> {
  readonly answer: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

interface Kept<T> {
  readonly newest: T;
  readonly good: T | undefined;
}

export interface GatheredBounds<T> {
  readonly entriesMax: number;
  readonly bytesMax: number;
  bytesOf(answer: T): number;
}

export function gatheredAnswers<T extends Reusable>(bounds: GatheredBounds<T>): GatheredAnswers<T> {
  const kept = new LRUCache<string, Kept<T>>({
    max: bounds.entriesMax,
    maxSize: bounds.bytesMax,
    sizeCalculation: ({ newest, good }) =>
      1 + bounds.bytesOf(newest) + (good && good !== newest ? bounds.bytesOf(good) : 0),
  });
  const flights = new Map<string, Flight<T>>();

  function fly(key: string, read: (good: T | undefined, signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const good = kept.get(key)?.good;
    const answer = read(good, controller.signal)
      .then((newest) => {
        kept.set(key, { newest, good: newest.isGood ? newest : good });
        return newest;
      })
      .finally(() => {
        // One that was given up may have a successor under its key.
        if (flights.get(key) === begun) flights.delete(key);
      });
    const begun: Flight<T> = { answer, controller, waiting: 0 };
    flights.set(key, begun);
    return begun;
  }

  return {
    async get(key, now, signal, read) {
      signal.throwIfAborted();
      const known = kept.get(key);
      if (known && now < known.newest.until) return known.newest;
      const under = flights.get(key);
      const flight = under && !under.controller.signal.aborted ? under : fly(key, read);
      flight.waiting += 1;
      try {
        return await unlessAborted(signal, flight.answer);
      } finally {
        flight.waiting -= 1;
        if (flight.waiting === 0) flight.controller.abort(new Error("nobody waits for this answer any more"));
      }
    },
  };
}
