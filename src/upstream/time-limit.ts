import type { Clock } from "../kit/clock.js";

/** The work took longer than its time limit. */
export class TimeLimitReached extends Error {
  override readonly name = "TimeLimitReached";

  constructor(timeLimitMs: number) {
    super(`no complete answer within ${timeLimitMs} ms`);
  }
}

export interface TimeLimit {
  readonly clock: Clock;
  readonly timeLimitMs: number;
  /** Lets the caller cancel the work before the limit is reached. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` within a time limit. Rejects with `TimeLimitReached` as soon as the limit is reached, or with the reason
 * of `limit.signal` as soon as that signal aborts. In both cases, does not wait for `work`, which may ignore the
 * signal that it receives.
 */
export async function withTimeLimit<T>(limit: TimeLimit, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const working = new AbortController();
  const alarm = new AbortController();
  const cancel = (): void => working.abort(limit.signal?.reason);
  if (limit.signal?.aborted) throw limit.signal.reason;
  limit.signal?.addEventListener("abort", cancel, { once: true });
  limit.clock.sleep(limit.timeLimitMs, alarm.signal).then(
    () => working.abort(new TimeLimitReached(limit.timeLimitMs)),
    () => undefined,
  );
  try {
    return await unlessAborted(working.signal, work(working.signal));
  } finally {
    alarm.abort();
    limit.signal?.removeEventListener("abort", cancel);
  }
}

/** Settles like `promise`, or rejects with the signal's reason if the signal aborts first. */
export function unlessAborted<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason);
    if (signal.aborted) aborted();
    signal.addEventListener("abort", aborted, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", aborted));
  });
}
