import type { Clock } from "./clock.js";

/** Does something every `everyMs` until `signal` aborts. A time that fails is reported and the next one tried. */
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
