import { monotonicMs } from "./clock.js";

/**
 * Work cut into slices: the generator yields when its slice is over and is resumed in a later turn of the event loop.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** True for the result of a generator function, which is work that has not run yet. */
export function isSteps(value: unknown): value is Steps<unknown> {
  return Object.prototype.toString.call(value) === "[object Generator]";
}

/** The signal that ends the slice of running steps. */
export interface Pace {
  /** Opens a slice that ends at `endsAt` on the monotonic clock. */
  startSlice(endsAt: number): void;
}

/** A pace for steps that check the clock themselves, after each piece of work well below a millisecond. */
export class ClockPace implements Pace {
  private readonly now: () => number;
  private endsAt = Number.POSITIVE_INFINITY;

  constructor(now: () => number = monotonicMs) {
    this.now = now;
  }

  startSlice(endsAt: number): void {
    this.endsAt = endsAt;
  }

  get isOver(): boolean {
    return this.now() >= this.endsAt;
  }
}

interface TurnSettings {
  /** Longest time for which sliced work may hold the event loop. */
  readonly sliceMs: number;
  readonly now: () => number;
  /** Runs the callback in the next turn of the event loop, after pending I/O. */
  readonly defer: (callback: () => void) => void;
}

const systemSettings: TurnSettings = { sliceMs: 5, now: monotonicMs, defer: setImmediate };

/**
 * Shares the event loop among all sliced work of the process. All work together holds the loop for one slice at a time,
 * first come, first served; separate slices would add up within one turn.
 */
export class LoopTurns {
  private readonly settings: TurnSettings;
  private readonly waiting: (() => void)[] = [];
  private usedMs = 0;
  private deferred = false;

  constructor(settings: Partial<TurnSettings> = {}) {
    this.settings = { ...systemSettings, ...settings };
  }

  /** True if work waits for the next turn, or ran in this one. */
  get hasWork(): boolean {
    return this.deferred;
  }

  /**
   * Runs `steps`. Returns the result directly if they end within the rest of this turn, otherwise a promise, which
   * rejects with the signal's reason if it aborts first.
   */
  run<Result>(steps: Steps<Result>, pace: Pace, signal?: AbortSignal): Result | Promise<Result> {
    if (this.usedMs < this.settings.sliceMs) {
      const first = this.slice(steps, pace);
      if (first.done) return first.value;
    }
    return new Promise((resolve, reject) => this.wait(() => this.continue({ steps, pace, signal, resolve, reject })));
  }

  private continue<Result>(running: Running<Result>): void {
    try {
      running.signal?.throwIfAborted();
      const next = this.slice(running.steps, running.pace);
      if (next.done) running.resolve(next.value);
      else this.wait(() => this.continue(running));
    } catch (error) {
      running.reject(error);
    }
  }

  private slice<Result>(steps: Steps<Result>, pace: Pace): IteratorResult<undefined, Result> {
    const { now, sliceMs } = this.settings;
    const startedAt = now();
    pace.startSlice(startedAt + sliceMs - this.usedMs);
    try {
      return steps.next();
    } finally {
      this.usedMs += now() - startedAt;
      this.awaitTurn();
    }
  }

  private wait(resume: () => void): void {
    this.waiting.push(resume);
    this.awaitTurn();
  }

  private awaitTurn(): void {
    if (this.deferred) return;
    this.deferred = true;
    this.settings.defer(() => this.turn());
  }

  /**
   * Resumes waiting work for one slice in total, and leaves a full slice for work that arrives before the next turn.
   */
  private turn(): void {
    this.deferred = false;
    this.usedMs = 0;
    for (let due = this.waiting.length; due > 0 && this.usedMs < this.settings.sliceMs; due -= 1) {
      this.waiting.shift()?.();
    }
    this.usedMs = 0;
    if (this.waiting.length > 0) this.awaitTurn();
  }
}

interface Running<Result> {
  readonly steps: Steps<Result>;
  readonly pace: Pace;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
