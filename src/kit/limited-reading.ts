import type { Clock } from "./clock.js";

/** The outcome of a reading, or `late` if it took longer than its limit. */
export type LimitedReading<T> =
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "late" };

/**
 * Limits the wait for a reading that cannot be cancelled. Callers that arrive during a reading share the reading and
 * its limit, so a hanging reading delays no caller beyond the limit, and readings do not pile up. Never rejects.
 */
export function limitedReading<T>(
  read: () => Promise<T>,
  clock: Clock,
  limitMs: number,
): () => Promise<LimitedReading<T>> {
  let underWay: Promise<LimitedReading<T>> | undefined;

  function start(): Promise<LimitedReading<T>> {
    const ended = new AbortController();
    const reading = read()
      .then(
        (value) => ({ kind: "read", value }) as const,
        (error: unknown) => ({ kind: "failed", error }) as const,
      )
      .finally(() => {
        underWay = undefined;
        ended.abort();
      });
    const late = clock.sleep(limitMs, ended.signal).then(
      () => ({ kind: "late" }) as const,
      // The reading ended before the limit.
      () => reading,
    );
    return Promise.race([reading, late]);
  }

  return () => {
    underWay ??= start();
    return underWay;
  };
}
