import { Alarm } from "./alarm.js";
import type { Clock } from "./clock.js";

/**
 * Waits `everyMs`, runs a task and starts over, until `signal` aborts. The alarm ends a wait early; `isWoken` is then
 * true. A failed run is reported and does not stop the next one.
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
