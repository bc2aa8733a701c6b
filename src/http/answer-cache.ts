import { LRUCache } from "lru-cache";
import { Failure } from "../contract/failures.js";
import type { ReadyAnswer } from "./data-answer/ready-answer.js";
import { weightOf } from "./representation.js";

/** Ready answers by key (operation, canonical query, projection and format), bounded in bytes. */
export interface AnswerCache<A extends ReadyAnswer = ReadyAnswer> {
  /**
   * Returns the cached answer if it has this stamp and is valid at `now`. Otherwise waits for the answer in progress
   * for this stamp, or starts `make`. The stamp identifies the state of the answer's inputs. The signal of `make`
   * aborts when all waiting callers have disconnected; `gone` aborts when this caller disconnects.
   */
  get(
    key: string,
    stamp: string,
    now: number,
    make: (signal: AbortSignal) => Promise<A>,
    gone?: () => AbortSignal | undefined,
  ): A | Promise<A>;
  readonly bytes: number;
}

export function answerCache<A extends ReadyAnswer = ReadyAnswer>(bytesMax: number): AnswerCache<A> {
  const ready = new LRUCache<string, KeptAnswer<A>>({
    maxSize: bytesMax,
    sizeCalculation: ({ answer }, key) => weightOf(answer.body) + key.length * 2,
  });
  const making = new Map<string, Flight<A>>();

  function fly(flight: string, key: string, madeAt: number, make: (signal: AbortSignal) => Promise<A>): Flight<A> {
    const controller = new AbortController();
    const answer = make(controller.signal)
      .then((readyAnswer) => {
        ready.set(key, { answer: readyAnswer, madeAt });
        return readyAnswer;
      })
      .finally(() => {
        // If this flight was cancelled, another one may already be under way for the same stamp and key.
        if (making.get(flight) === begun) making.delete(flight);
      });
    const begun: Flight<A> = { answer, controller, waiting: 0 };
    making.set(flight, begun);
    return begun;
  }

  return {
    get(key, stamp, now, make, gone) {
      const kept = ready.get(key);
      if (kept && kept.answer.stamp === stamp && holdsAt(kept, now)) return kept.answer;
      const name = `${stamp}\n${key}`;
      const underWay = making.get(name);
      const flight = underWay && !underWay.controller.signal.aborted ? underWay : fly(name, key, now, make);
      boarded(flight, gone?.());
      if (flight !== underWay) return flight.answer;
      const again = (): A | Promise<A> => this.get(key, stamp, now, make, gone);
      return flight.answer.then(
        // The answer was started for an earlier caller, so it may already have expired at this caller's `now`.
        (answer) => (now < answer.validUntil ? answer : again()),
        (error: unknown) => {
          // A 429 refuses only the caller for whom the answer was started, so this caller tries again.
          if (error instanceof Failure && error.status === 429) return again();
          throw error;
        },
      );
    },
    get bytes() {
      return ready.calculatedSize;
    },
  };
}

interface KeptAnswer<A extends ReadyAnswer> {
  readonly answer: A;
  /** The clock's time when `make` started, epoch ms. */
  readonly madeAt: number;
}

/**
 * Returns false for an expired answer, and for an answer that was made before the clock was set back to an earlier
 * time.
 */
function holdsAt({ answer, madeAt }: KeptAnswer<ReadyAnswer>, now: number): boolean {
  return madeAt <= now && now < answer.validUntil;
}

/** An answer that is being made for one or more callers. */
interface Flight<A extends ReadyAnswer> {
  readonly answer: Promise<A>;
  readonly controller: AbortController;
  /** Number of callers still connected. */
  waiting: number;
}

/** Counts a caller until it disconnects. The last caller that disconnects cancels the flight. */
function boarded(flight: Flight<ReadyAnswer>, gone: AbortSignal | undefined): void {
  const left = (): void => {
    flight.waiting -= 1;
    if (flight.waiting === 0) flight.controller.abort(new Error("no caller waits for this answer any more"));
  };
  flight.waiting += 1;
  if (gone?.aborted) left();
  else gone?.addEventListener("abort", left, { once: true });
}
