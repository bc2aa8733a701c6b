import { isStoreLost } from "../database/store-error.js";
import { type Clock, monotonicMs, SECOND_MS } from "../kit/clock.js";

/**
 * The check that a caller's credential needs. `confirmed`: the store has confirmed the credential within the last
 * minute. `remembered`: while the store is lost, an earlier confirmation is enough.
 */
export type Assurance = "confirmed" | "remembered";

export interface StoreContactParts {
  readonly clock: Clock;
  /**
   * Time for which remembered values may be used after the last successful check of the store; 0 if they may never be
   * used.
   */
  readonly rememberedMs: number;
  /** Default: the machine's monotonic clock, so that setting the wall clock neither extends nor shortens that time. */
  readonly monotonic?: () => number;
}

/** Maximum time to wait for a query whose last result is remembered. */
const PATIENCE_MS = SECOND_MS;

/**
 * Runs queries for credentials and token keys, and records whether the store is lost. While the store is lost, `askOr`
 * returns remembered values for a limited time.
 */
export class StoreContact {
  private readonly clock: Clock;
  private readonly rememberedMs: number;
  private readonly monotonic: () => number;
  private checkedAt: number;
  private isLost = false;

  constructor({ clock, rememberedMs, monotonic = monotonicMs }: StoreContactParts) {
    this.clock = clock;
    this.rememberedMs = rememberedMs;
    this.monotonic = monotonic;
    this.checkedAt = monotonic();
  }

  /**
   * Runs a query that shows whether remembered values are still right. If the query succeeds, the values count as
   * checked when the query began.
   */
  async check<T>(query: () => Promise<T>): Promise<T> {
    const startedAt = this.monotonic();
    const result = await this.ask(query);
    this.checkedAt = startedAt;
    return result;
  }

  /** Runs a query, and records whether the store is lost. */
  async ask<T>(query: () => Promise<T>): Promise<T> {
    try {
      const result = await query();
      this.isLost = false;
      return result;
    } catch (error) {
      if (isStoreLost(error)) this.isLost = true;
      throw error;
    }
  }

  /**
   * Runs a query whose last result is remembered. If the store is known to be lost, returns the remembered result
   * without a query. Otherwise runs the query, and returns the remembered result only if the store is found to be lost
   * or has not answered within `PATIENCE_MS`. Once the remembered values are too old, always runs the query and returns
   * the query's own result or error.
   */
  askOr<T>(query: () => Promise<T>, remembered: T): T | Promise<T> {
    if (this.monotonic() - this.checkedAt >= this.rememberedMs) return this.ask(query);
    return this.isLost ? remembered : this.askPatiently(query, remembered);
  }

  private async askPatiently<T>(query: () => Promise<T>, remembered: T): Promise<T> {
    const done = new AbortController();
    const answer = this.ask(query).catch((error: unknown) => {
      if (isStoreLost(error)) return remembered;
      throw error;
    });
    const late = this.clock.sleep(PATIENCE_MS, done.signal).then(
      () => {
        this.isLost = true;
        return remembered;
      },
      () => remembered,
    );
    try {
      return await Promise.race([answer, late]);
    } finally {
      done.abort();
    }
  }
}
