import type { Charge, Standing } from "./limiter.js";

/** Calls that one process may make without asking, each charged with one unit of every charge. */
export interface Grant {
  readonly id: number;
  readonly calls: number;
  /** Time for which it may be used, from the time of the call that brought it. */
  readonly ms: number;
}

/** The use of a grant, when it ends. */
export interface GrantUse {
  /** Number of calls by their time. */
  readonly calls: readonly (readonly [at: number, count: number])[];
  /** Units of each charge that were given back. */
  readonly givenBack: readonly number[];
}

/** The answer to one charge of a call. */
export interface Taken {
  /** Names this call when units are given back. */
  readonly id: number;
  /** Index of the charge that refused; -1 if all were taken. */
  readonly refusedIndex: number;
  readonly standings: readonly Figures[];
  readonly grant: Grant | undefined;
}

/** A standing without its limit, which both sides know. */
export type Figures = Pick<Standing, "remaining" | "resetAt">;

/** The counters of all processes of a machine, in one of them. */
export interface SharedCounters {
  take(charges: readonly Charge[], now: number): Promise<Taken>;
  look(charges: readonly Charge[], now: number): Promise<readonly Figures[]>;
  /** Gives back the units of these charges of a call, or of one call of an ended grant. */
  giveBack(id: number, indexes: readonly number[]): void;
  end(grantId: number, use: GrantUse): void;
}

/** Names charges that are counted together. */
export function chargesKey(charges: readonly Charge[]): string {
  let key = "";
  for (const { subject, limit, isAddress } of charges) {
    key += `${isAddress ? "@" : ""}${subject}\n${limit.name}\n${limit.max}\n`;
  }
  return key;
}
