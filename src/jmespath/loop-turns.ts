import type { Fuel, Steps } from "./fuel.js";

interface TurnSettings {
  /** The longest time that projections may hold the event loop before they let other work in. */
  readonly sliceMs: number;
  readonly now: () => number;
  /** Calls back in the next turn of the event loop, after pending input and output. */
  readonly defer: (callback: () => void) => void;
}

/**
 * Shares the event loop among all running projections of the process: together they hold it for one slice at a time,
 * first come first served, where each taking slices of its own would add up within one turn.
 */
export class LoopTurns {
  private readonly settings: TurnSettings;
  private readonly waiting: (() => void)[] = [];
  private usedMs = 0;
  private deferred = false;

  constructor(settings: TurnSettings) {
    this.settings = settings;
  }

  /** The result of `steps`: at once when they end within what is left of this turn, otherwise as a promise. */
  run<Result>(steps: Steps<Result>, fuel: Fuel): Result | Promise<Result> {
    if (this.usedMs < this.settings.sliceMs) {
      const first = this.slice(steps, fuel);
      if (first.done) return first.value;
    }
    return new Promise((resolve, reject) => this.wait(() => this.continue({ steps, fuel, resolve, reject })));
  }

  private continue<Result>(running: Running<Result>): void {
    try {
      const next = this.slice(running.steps, running.fuel);
      if (next.done) running.resolve(next.value);
      else this.wait(() => this.continue(running));
    } catch (error) {
      running.reject(error);
    }
  }

  private slice<Result>(steps: Steps<Result>, fuel: Fuel): IteratorResult<undefined, Result> {
    const { now, sliceMs } = this.settings;
    const startedAt = now();
    fuel.startSlice(startedAt + sliceMs - this.usedMs);
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

  /** Resumes waiting projections for one slice in all, and leaves as much again to those that arrive until the next. */
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
  readonly fuel: Fuel;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
