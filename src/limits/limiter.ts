import { DAY_MS } from "../kit/clock.js";

/** How many units may be used in a window. */
export interface Limit {
  /** Short policy name, e.g. "default", "account", "daily". */
  readonly name: string;
  /** Units allowed in any window. */
  readonly max: number;
  /** Any `ms` that follow one another, or one UTC day. */
  readonly window: { readonly kind: "sliding"; readonly ms: number } | { readonly kind: "utc-day" };
}

/** One unit of `limit` asked for by `subject`. */
export interface Charge {
  /** An address, an account, a key, or an account on an operation: already a text without secrets. */
  readonly subject: string;
  readonly limit: Limit;
  /**
   * True where the subject is a network address: anybody can make these up by the thousand, so their counters may be
   * dropped early. The counters of accounts and keys never are.
   */
  readonly isAddress?: true;
}

export interface Standing {
  readonly limit: Limit;
  /** Units left after this call, never below 0. */
  readonly remaining: number;
  /**
   * When the next unit comes free, epoch ms. For a sliding window that is when the oldest counted unit leaves it, or,
   * when the limit was lowered below what is counted, the unit that brings it below the limit. For a UTC day it is the
   * next midnight. When nothing is counted it is now.
   */
  readonly resetAt: number;
}

export interface Verdict {
  /** The first charge, in the given order, that was refused, and then nothing was counted anywhere. Undefined when all were taken. */
  readonly refused: Standing | undefined;
  /** In the order of the charges. */
  readonly standings: readonly Standing[];
  /**
   * Gives back the units of the charges that `which` picks, of all when it is left out. Each unit is given back once,
   * however often it is picked. After a refusal there is nothing to give back.
   */
  giveBack(which?: (charge: Charge) => boolean): void | Promise<void>;
}

/**
 * Counts units exactly: a unit counted at `t` is in the window that ends at `now` when `now - ms < t <= now`, so no
 * window of that length holds more than `max`, wherever it begins.
 *
 * A `now` below the newest time that was counted for the same subject and limit is taken as that newest time, so a clock
 * that goes back lets nothing more through. A limit is known by its name: another `max` under the same name applies from
 * then on to what is counted already.
 */
export interface Limiter {
  /** Takes one unit of every charge, or none of any. */
  take(charges: readonly Charge[], now: number): Verdict | Promise<Verdict>;
  /** Standings without taking anything. */
  look(charges: readonly Charge[], now: number): readonly Standing[] | Promise<readonly Standing[]>;
  close(): Promise<void>;
}

/** The length of a limit's window in ms. */
export function windowMsOf(limit: Limit): number {
  return limit.window.kind === "sliding" ? limit.window.ms : DAY_MS;
}

/** What counts for all nodes cannot be used at present. Whoever throws it has told the log. */
export class LimiterLost extends Error {
  override readonly name = "LimiterLost";
}
