import type { Charge, Standing } from "./limiter.js";

/**
 * The right of one process to admit a number of calls without asking the shared counters. The grant applies to calls
 * with one list of charges, and each call costs one unit of every charge.
 */
export interface Grant {
  readonly id: number;
  readonly calls: number;
  /** Time for which the grant may be used, from the time of the call that obtained it. */
  readonly ms: number;
}

/** The use of a grant, reported at its end. */
export interface GrantUse {
  /** The number of calls at each time. */
  readonly calls: readonly (readonly [at: number, count: number])[];
  /** Refunded units of each charge. */
  readonly givenBack: readonly number[];
}

/** The answer to the charges of a call. */
export interface Taken {
  /** Identifies this call for refunds. */
  readonly id: number;
  /** Index of the charge that was refused; -1 if all were accepted. */
  readonly refusedIndex: number;
  readonly standings: readonly Figures[];
  readonly grant: Grant | undefined;
}

/** A standing without its limit, because the caller and the counters both know the limit. */
export type Figures = Pick<Standing, "remaining" | "resetAt">;

/** The counters of all processes on a machine, kept by one of these processes. */
export interface SharedCounters {
  take(charges: readonly Charge[], now: number): Promise<Taken>;
  look(charges: readonly Charge[], now: number): Promise<readonly Figures[]>;
  /**
   * Refunds the units of the charges at these indexes. `id` identifies a call or an ended grant. For a grant, the units
   * of one of its calls are refunded.
   */
  giveBack(id: number, indexes: readonly number[]): void;
  end(grantId: number, use: GrantUse): void;
}

/** The key under which a list of charges gets a grant. */
export function chargesKey(charges: readonly Charge[]): string {
  let key = "";
  for (const { subject, limit, isAddress } of charges) {
    key += `${isAddress ? "@" : ""}${subject}\n${limit.name}\n${limit.max}\n`;
  }
  return key;
}
