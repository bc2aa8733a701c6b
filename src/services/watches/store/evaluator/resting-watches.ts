import { type Clock, isWithin, MINUTE_MS } from "../../../../kit/clock.js";

/** Time between a fault of the service and the next attempt to evaluate the watch. */
const RESTS_MS = MINUTE_MS;
/** Maximum number of suspended watches. If further watches fail, the cause is not in individual watches. */
const WATCHES_MAX = 100;

/**
 * The suspended watches. Their evaluation failed because of a fault of the service, not because of their own condition.
 */
export interface RestingWatches {
  add(watchId: string, fault: unknown): void;
  ids(): readonly string[];
}

/** Suspends watches for a minute. If too many are suspended already, `add` throws the fault instead. */
export function restingWatches(clock: Clock): RestingWatches {
  const since = new Map<string, number>();
  const wakeRested = (): void => {
    const now = clock.now();
    for (const [watchId, at] of since) if (!isWithin(now, at, RESTS_MS)) since.delete(watchId);
  };
  return {
    add(watchId, fault) {
      wakeRested();
      if (since.size >= WATCHES_MAX) throw fault;
      since.set(watchId, clock.now());
    },
    ids() {
      wakeRested();
      return [...since.keys()];
    },
  };
}
