import type { Pace, Steps } from "../kit/loop-turns.js";
import { BudgetExceeded, type Resource } from "./errors.js";

/**
 * Number of units between two reads of the clock. A unit takes 10–150 ns, so a slice overruns by about 0.15 ms at most,
 * and the cost of reading the clock is negligible.
 */
const CLOCK_UNITS = 1_000;

/** The budget for all work of one projection, and the clock of the current slice. */
export class Fuel implements Pace {
  /** The current kind of work, for the message when the budget runs out. */
  resource: Resource = "node visits";
  private readonly unitsMax: number;
  private readonly now: () => number;
  private reserve: number;
  private credit = 0;
  private sliceEndsAt = Number.POSITIVE_INFINITY;

  constructor(unitsMax: number, now: () => number) {
    this.unitsMax = unitsMax;
    this.reserve = unitsMax;
    this.now = now;
  }

  /** Opens a slice that ends at `endsAt` on the monotonic clock. */
  startSlice(endsAt: number): void {
    this.sliceEndsAt = endsAt;
  }

  /** Units spent so far. */
  get spent(): number {
    return this.unitsMax - this.reserve - this.credit;
  }

  /**
   * Charges units. Returns true if the slice is over and the caller should yield; a caller that cannot pause may leave
   * the yielding to the next caller. Charge before doing the work, so that work beyond the budget allocates nothing.
   * Throws `BudgetExceeded` when the units charged exceed the budget. This happens at the same unit however the work is
   * sliced.
   */
  spend(units: number): boolean {
    this.credit -= units;
    return this.credit < 0 && this.refill();
  }

  private refill(): boolean {
    const remaining = this.reserve + this.credit;
    if (remaining < 0) throw this.exhausted();
    const over = this.now() >= this.sliceEndsAt;
    // After the end of a slice there is no credit, so every further charge takes this path and gets the same result.
    this.credit = over ? 0 : Math.min(CLOCK_UNITS, remaining);
    this.reserve = remaining - this.credit;
    return over;
  }

  private exhausted(): BudgetExceeded {
    const limit = `more than ${this.unitsMax} steps of work; last kind of work: ${this.resource}`;
    return new BudgetExceeded(this.resource, limit);
  }
}

/** Work that is too long for one step. `Machine` runs it in slices. */
export class Long {
  readonly resource: Resource;
  readonly steps: Steps<unknown>;

  constructor(resource: Resource, steps: Steps<unknown>) {
    this.resource = resource;
    this.steps = steps;
  }
}
