import { monotonicMs } from "./clock.js";

interface DelaySettings {
  readonly now: () => number;
  /** Runs the callback after `ms`, and returns a function that cancels it. */
  readonly schedule: (callback: () => void, ms: number) => () => void;
}

const systemSettings: DelaySettings = {
  now: monotonicMs,
  schedule(callback, ms) {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

const SAMPLED_EVERY_MS = 50;
const SAMPLES = 5;

/**
 * The delay of the event loop that lasts: the least of the newest samples. One long pause, such as a garbage
 * collection, does not raise it, and the first sample without a delay ends it.
 */
export class LoopDelay {
  private readonly settings: DelaySettings;
  private readonly samples: number[] = [];
  private cancel: () => void = () => undefined;
  private least = 0;

  constructor(settings: DelaySettings = systemSettings) {
    this.settings = settings;
    this.sample();
  }

  get ms(): number {
    return this.least;
  }

  close(): void {
    this.cancel();
  }

  private sample(): void {
    const { now, schedule } = this.settings;
    const dueAt = now() + SAMPLED_EVERY_MS;
    this.cancel = schedule(() => {
      this.samples.push(now() - dueAt);
      if (this.samples.length > SAMPLES) this.samples.shift();
      this.least = this.samples.length < SAMPLES ? 0 : Math.max(0, Math.min(...this.samples));
      this.sample();
    }, SAMPLED_EVERY_MS);
  }
}
