/** The functions of the platform that the client uses; tests inject their own. */
export interface Platform {
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  /** Now, epoch ms. */
  readonly now: () => number;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Resolves after `ms`; if the signal aborts first, rejects with the signal's reason. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A new idempotency key. */
  readonly uuid: () => string;
}

/** The platform built from the web APIs that browsers, Node.js and workers share. */
export const webPlatform: Platform = {
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(done, ms);
      function done(): void {
        signal?.removeEventListener("abort", cancelled);
        resolve();
      }
      function cancelled(): void {
        clearTimeout(timer);
        reject(signal?.reason);
      }
      signal?.addEventListener("abort", cancelled, { once: true });
    }),
  uuid: () => crypto.randomUUID(),
};
