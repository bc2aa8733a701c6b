import type { Clock } from "./clock.js";

/** Runs a task every `everyMs` until `signal` aborts. A failed run is reported and does not stop the next one. */
export async function repeatedly(
  work: () => Promise<void>,
  everyMs: number,
  clock: Clock,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(everyMs, signal).catch(() => undefined);
    if (!signal.aborted) await work().catch(onFault);
  }
}
