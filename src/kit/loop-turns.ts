import { monotonicMs } from "./clock.js";

/**
 * A generator whose work is cut into slices. It yields when its slice is over, and is resumed in a later turn of the
 * event loop.
 */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** True for a generator, whose work must still be run. */
export function isSteps(value: unknown): value is Steps<unknown> {
  return Object.prototype.toString.call(value) === "[object Generator]";
}

/** Tells running steps when their slice is over. */
export interface Pace {
  /** Opens a slice that ends at `endsAt` on the monotonic clock. */
  startSlice(endsAt: number): void;
}

/**
 * A pace for steps that check the clock themselves, with `isOver`. The work between two checks must take well below a
 * millisecond.
 */
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
  /** Maximum time for which sliced work may hold the event loop. */
  readonly sliceMs: number;
  readonly now: () => number;
  /** Runs the callback in the next turn of the event loop, after pending I/O. */
  readonly defer: (callback: () => void) => void;
}

const systemSettings: TurnSettings = { sliceMs: 5, now: monotonicMs, defer: setImmediate };

/**
 * If at least this number of pieces of work wait, the work counts as the cause of a delay. If fewer wait, the cause is
 * a slow machine, so `delayMs` is 0 and the turn does not change the mean gap.
 */
const MANY = 16;
/** Maximum total length, in slices, of successive turns that `cede` keeps free of waiting work. */
const CEDED_SLICES = 2;
/** Weight of the latest turn in `meanGapMs`. */
const NEWEST_WEIGHT = 0.3;

/**
 * Shares the event loop among all sliced work of the process. All work together holds the loop for one slice at a time,
 * first come, first served. If each piece had its own slice, the slices would add up within one turn.
 */
export class LoopTurns {
  private readonly settings: TurnSettings;
  private readonly waiting: (() => void)[] = [];
  private usedMs = 0;
  private deferred = false;
  private isCeded = false;
  /** Start of the first ceded turn since the last turn in which work ran. */
  private cededAt: number | undefined = undefined;
  /** Mean time between two resumptions of waiting work, including the time of everything else in the loop. */
  private meanGapMs = 0;
  /**
   * The start of the last turn, the number of pieces that the turn resumed, and the time that they took. Undefined if
   * little work waited at the start of that turn.
   */
  private last: { readonly at: number; readonly resumed: number; readonly usedMs: number } | undefined;

  constructor(settings: Partial<TurnSettings> = {}) {
    this.settings = { ...systemSettings, ...settings };
  }

  /** True if work waits for the next turn, or has run in this turn. */
  get hasWork(): boolean {
    return this.deferred;
  }

  /**
   * Lets the loop turn once without the waiting work. Successive ceded turns last at most `CEDED_SLICES` slices
   * together. Such turns are needed because the event loop accepts only one new connection per turn. If every turn had
   * a full slice of work, thousands of clients that connect simultaneously would wait for many seconds.
   */
  cede(): void {
    this.isCeded = this.deferred;
  }

  /** Expected wait, in ms, of work that starts to wait now. It is 0 unless many pieces of work are already waiting. */
  get delayMs(): number {
    return this.waiting.length < MANY ? 0 : this.waiting.length * this.meanGapMs;
  }

  /**
   * Runs `steps`. Returns the result directly if they end within the rest of this turn's slice, otherwise a promise. If
   * the signal aborts first, the promise rejects with the signal's reason.
   */
  run<Result>(steps: Steps<Result>, pace: Pace, signal?: AbortSignal): Result | Promise<Result> {
    if (this.cededAt === undefined && this.usedMs < this.settings.sliceMs) {
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
    const at = this.settings.now();
    if (this.isCededAt(at)) {
      this.awaitTurn();
      return;
    }
    this.learnGap(at);
    let resumed = 0;
    const isCrowded = this.waiting.length >= MANY;
    for (let due = this.waiting.length; due > 0 && this.usedMs < this.settings.sliceMs; due -= 1) {
      resumed += 1;
      this.waiting.shift()?.();
    }
    this.last = isCrowded ? { at, resumed, usedMs: this.usedMs } : undefined;
    this.usedMs = 0;
    if (this.waiting.length > 0) this.awaitTurn();
  }

  /** True for a turn that leaves the waiting work to the next turn. */
  private isCededAt(at: number): boolean {
    const isCeded = this.isCeded && at - (this.cededAt ?? at) < CEDED_SLICES * this.settings.sliceMs;
    this.isCeded = false;
    this.cededAt = isCeded ? (this.cededAt ?? at) : undefined;
    return isCeded;
  }

  /**
   * Updates the mean gap with the gap of the last turn, computed as if that turn had used a full slice. Turns with
   * little waiting work are ignored, because the few pieces that they resume may belong to a single long job. Pieces of
   * a long job take longer than the pieces of many short calls.
   */
  private learnGap(at: number): void {
    if (this.last === undefined) return;
    const { sliceMs } = this.settings;
    const { at: lastAt, resumed, usedMs } = this.last;
    const fullTurnMs = at - lastAt - usedMs + Math.max(usedMs, sliceMs);
    const gapMs = (usedMs / resumed) * (fullTurnMs / Math.max(usedMs, sliceMs));
    this.meanGapMs = this.meanGapMs === 0 ? gapMs : this.meanGapMs + NEWEST_WEIGHT * (gapMs - this.meanGapMs);
  }
}

interface Running<Result> {
  readonly steps: Steps<Result>;
  readonly pace: Pace;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
