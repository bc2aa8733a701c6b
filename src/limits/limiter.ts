import { DAY_MS } from "../kit/clock.js";

/** The number of units allowed in a window. */
export interface Limit {
  /** Short policy name, e.g. "default", "account", "daily". */
  readonly name: string;
  /** Units allowed in any window. */
  readonly max: number;
  /** Any period of `ms` milliseconds, or one UTC day. */
  readonly window: { readonly kind: "sliding"; readonly ms: number } | { readonly kind: "utc-day" };
}

/** One unit of `limit` requested by `subject`. */
export interface Charge {
  /** The id of an account or of a key, or an address. Contains no secret. */
  readonly subject: string;
  readonly limit: Limit;
  /**
   * True if the subject is a network address. Anyone can use thousands of addresses, so the counters of addresses may
   * be dropped early to save memory. The counters of accounts and keys are not dropped for this reason.
   */
  readonly isAddress?: true;
}

/** The state of one limit for a subject. */
export interface Standing {
  readonly limit: Limit;
  /** Units left after this call, never below 0. */
  readonly remaining: number;
  /**
   * Time at which the next unit becomes free, epoch ms. In a sliding window, the oldest counted unit leaves the window
   * at this time. If the limit was lowered below the count, this is the time by which enough units have left the window
   * to bring the count below the limit. For a UTC day, this is the next midnight. If nothing is counted, this is now.
   */
  readonly resetAt: number;
}

/** The answer to a call: whether its charges were accepted, and the standing of each limit. */
export interface Verdict {
  /**
   * The standing of the first charge that was refused, in the order of the charges; if there is one, nothing was
   * counted. Undefined if all charges were accepted.
   */
  readonly refused: Standing | undefined;
  /** In the order of the charges. */
  readonly standings: readonly Standing[];
  /**
   * Refunds the units of the charges that `which` selects. Default: all. Each unit is refunded at most once. After a
   * refusal, there is nothing to refund. Returns the standings after the refund, computed for the `now` of `take`.
   */
  giveBack(which?: (charge: Charge) => boolean): readonly Standing[] | Promise<readonly Standing[]>;
}

/**
 * Counts units exactly: a unit counted at `t` is in the window that ends at `now` when `now - ms < t <= now`, so no
 * window of that length holds more than `max`, wherever it begins.
 *
 * A `now` below the newest counted time of the same subject and limit is replaced by that time, so a clock that is set
 * back a little admits no additional calls. After a larger step back, counts may be dropped. A limit is identified by its name: a new `max` under the same name applies
 * immediately to the units counted so far.
 */
export interface Limiter {
  /** Takes one unit of every charge, or of none. */
  take(charges: readonly Charge[], now: number): Verdict | Promise<Verdict>;
  /** Returns the standings without taking a unit. */
  look(charges: readonly Charge[], now: number): readonly Standing[] | Promise<readonly Standing[]>;
  close(): Promise<void>;
}

/** The length of a limit's window in ms. */
export function windowMsOf(limit: Limit): number {
  return limit.window.kind === "sliding" ? limit.window.ms : DAY_MS;
}

/**
 * Thrown while the shared counters (in Redis or in the primary process) are unavailable. Callers need not log it.
 */
export class LimiterLost extends Error {
  override readonly name = "LimiterLost";
}
