import { monotonicMs } from "./clock.js";

/** Work cut into slices: it yields when its slice is over and is resumed in a later turn of the event loop. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** True for what a generator function returns: work that has yet to be run. */
export function isSteps(value: unknown): value is Steps<unknown> {
  return Object.prototype.toString.call(value) === "[object Generator]";
}

/** What tells running steps that their slice is over. */
export interface Pace {
  /** Opens a slice that ends at `endsAt` on the monotonic clock. */
  startSlice(endsAt: number): void;
}

/** A pace for steps that look at the clock themselves, each time after a piece of work well below a millisecond. */
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
  /** The longest time that work in slices may hold the event loop before it lets other work in. */
  readonly sliceMs: number;
  readonly now: () => number;
  /** Calls back in the next turn of the event loop, after pending input and output. */
  readonly defer: (callback: () => void) => void;
}

const systemSettings: TurnSettings = { sliceMs: 5, now: monotonicMs, defer: setImmediate };

/**
 * Shares the event loop among everything of the process that works in slices: together they hold it for one slice at a
 * time, first come first served, where each taking slices of its own would add up within one turn.
 */
export class LoopTurns {
  private readonly settings: TurnSettings;
  private readonly waiting: (() => void)[] = [];
  private usedMs = 0;
  private deferred = false;

  constructor(settings: Partial<TurnSettings> = {}) {
    this.settings = { ...systemSettings, ...settings };
  }

  /**
   * The result of `steps`: at once when they end within what is left of this turn, otherwise as a promise, which rejects
   * with the signal's reason when that is aborted before the end.
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

  /** Resumes what waits for one slice in all, and leaves as much again to those that arrive until the next. */
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
