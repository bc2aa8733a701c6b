import { type Clock, SECOND_MS } from "../kit/clock.js";

/** How long another process's publish may stay unseen. */
const POLL_MS = 2 * SECOND_MS;

/** Looks at the store again and again until `signal` aborts. A look that fails is reported and the next one tried. */
export async function followStore(
  refresh: () => Promise<void>,
  clock: Clock,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(POLL_MS, signal).catch(() => undefined);
    if (!signal.aborted) await refresh().catch(onFault);
  }
}
