import { Alarm } from "./alarm.js";
import type { Clock } from "./clock.js";

/**
 * Runs a task every `everyMs`, and immediately when the alarm rings, until `signal` aborts. `isWoken` is true if the
 * alarm started the run. A failed run is reported and does not stop the next one.
 */
export async function repeatedly(
  work: (isWoken: boolean) => Promise<void>,
  everyMs: number,
  clock: Clock,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
  alarm: Alarm = new Alarm(),
): Promise<void> {
  while (!signal.aborted) {
    const isWoken = await alarm.sleep(everyMs, clock, signal);
    if (!signal.aborted) await work(isWoken).catch(onFault);
  }
}
