import type { Clock } from "./clock.js";

/** Cuts short the current or next sleep of one loop. */
export class Alarm {
  private hasRung = false;
  private end: () => void = () => undefined;

  ring(): void {
    this.hasRung = true;
    this.end();
  }

  /**
   * Sleeps until the time is over, the alarm rings or `signal` aborts. True if the alarm rang during this sleep or
   * since the previous one.
   */
  async sleep(ms: number, clock: Pick<Clock, "sleep">, signal: AbortSignal): Promise<boolean> {
    if (!this.hasRung) {
      const ended = new AbortController();
      this.end = () => ended.abort();
      await clock.sleep(ms, AbortSignal.any([signal, ended.signal])).catch(() => undefined);
      this.end = () => undefined;
    }
    const rang = this.hasRung;
    this.hasRung = false;
    return rang;
  }
}
