import { LRUCache } from "lru-cache";
import { type Representation, weightOf } from "./representation.js";

/** A ready answer and what it was made from. */
export interface ReadyAnswer {
  readonly body: Representation;
  /** Generations and states of everything it was made from; another stamp means another answer. */
  readonly stamp: string;
  /** Until when it holds, epoch ms. */
  readonly validUntil: number;
  /** The body says itself that something is missing. */
  readonly hasMarker: boolean;
  /** Headers that were sent with it, by the CORS headers among them and by encoding or ETag. */
  readonly heads: WeakMap<object, Map<string, Readonly<Record<string, string>>>>;
}

/** Ready answers by operation, canonical query and projection, bounded in bytes. */
export interface AnswerCache {
  /** A ready answer with this stamp, or the one that is being made, or the one that `make` makes. */
  get(key: string, stamp: string, now: number, make: () => Promise<ReadyAnswer>): ReadyAnswer | Promise<ReadyAnswer>;
  readonly bytes: number;
}

export function answerCache(bytesMax: number): AnswerCache {
  const ready = new LRUCache<string, ReadyAnswer>({
    maxSize: bytesMax,
    sizeCalculation: (answer, key) => weightOf(answer.body) + key.length * 2,
  });
  const making = new Map<string, Promise<ReadyAnswer>>();

  function fly(flight: string, key: string, make: () => Promise<ReadyAnswer>): Promise<ReadyAnswer> {
    const made = make()
      .then((answer) => {
        ready.set(key, answer);
        return answer;
      })
      .finally(() => making.delete(flight));
    making.set(flight, made);
    return made;
  }

  return {
    get(key, stamp, now, make) {
      const found = ready.get(key);
      if (found && found.stamp === stamp && now < found.validUntil) return found;
      const flight = `${stamp}\n${key}`;
      const under = making.get(flight);
      if (!under) return fly(flight, key, make);
      // One that began earlier may be over for a caller who came later.
      return under.then((answer) => (now < answer.validUntil ? answer : this.get(key, stamp, now, make)));
    },
    get bytes() {
      return ready.calculatedSize;
    },
  };
}
