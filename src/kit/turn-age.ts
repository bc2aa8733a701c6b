import { monotonicMs } from "./clock.js";

interface AgeSettings {
  readonly now: () => number;
  /** Runs the callback at the end of this turn of the event loop. */
  readonly defer: (callback: () => void) => void;
}

/**
 * Minimum number of readings of `delayMs` in one turn for a delay above 0; each request reads it once. With fewer
 * readings, the delay is 0, because a slow machine, not the number of requests, has made the turn long.
 */
const MANY = 64;

const systemSettings: AgeSettings = { now: monotonicMs, defer: setImmediate };

/**
 * The age of a turn of the event loop, measured from the first reading of `delayMs` in the turn. One turn can handle
 * thousands of requests. All requests that are handled in a turn were waiting when it began, so each has waited at
 * least as long as the turn has lasted.
 */
export class TurnAge {
  private readonly settings: AgeSettings;
  private startedAt: number | undefined;
  private readings = 0;
  private lastMs = 0;

  constructor(settings: AgeSettings = systemSettings) {
    this.settings = settings;
  }

  /**
   * The delay is the age of a turn with many readings, and 0 in a turn with few. In a turn that outlasts the previous
   * turn, the delay is half the age, but at least the length of the previous turn. A single long turn therefore counts
   * only half.
   */
  get delayMs(): number {
    const now = this.settings.now();
    if (this.startedAt === undefined) {
      this.startedAt = now;
      this.settings.defer(this.end);
    }
    this.readings += 1;
    if (this.readings < MANY) return 0;
    const ageMs = now - this.startedAt;
    return Math.max(ageMs / 2, Math.min(ageMs, this.lastMs));
  }

  /** Bound once, so that no turn has to allocate a function. */
  private readonly end = (): void => {
    this.lastMs = this.settings.now() - (this.startedAt ?? 0);
    this.startedAt = undefined;
    this.readings = 0;
  };
}
