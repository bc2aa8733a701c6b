import { sharedFailure } from "../contract/failures.js";

/** The failure of every shed call. It is shared, because the less a refusal costs, the more calls can be answered. */
const overloaded = sharedFailure("overloaded", null);

/**
 * Reasons to shed a call: too many calls run at the same time, this caller has too many running calls, or answers would
 * be late.
 */
export const shedReasons = ["calls", "caller", "loop"] as const;
export type ShedReason = (typeof shedReasons)[number];

export interface AdmissionLimits {
  /** Maximum number of calls that run at the same time. A call that is answered immediately does not count. */
  readonly callsMax: number;
  /**
   * Maximum number of calls of one account that run at the same time. Callers with the operator's account are counted
   * by key, and callers without an account by address.
   */
  readonly perCallerMax: number;
  /** Event loop delay at which calls begin to be shed. */
  readonly loopDelayMsMax: number;
}

/** The facts about a call that decide its admission. */
export interface AdmittedCall {
  /** True for a call that is probably answered from memory. Such a call is shed only at twice the limits. */
  readonly isCheap: boolean;
  /** Identifies the caller by its account, its key or its address, as `perCallerMax` counts it. */
  readonly caller: () => string;
}

/**
 * Sheds excess calls before they queue, by answering with 503. A shed call has done no work and used no allowance. A
 * call whose answer is in memory ends in the same turn of the event loop, so only other calls hold one of the limited
 * slots.
 */
export class Admission {
  private readonly limits: AdmissionLimits;
  private readonly loopDelayMs: () => number;
  private readonly byCaller = new Map<string, number>();
  private readonly shed = new Map<ShedReason, number>();
  private running = 0;

  constructor(limits: AdmissionLimits, loopDelayMs: () => number) {
    this.limits = limits;
    this.loopDelayMs = loopDelayMs;
  }

  /** Number of calls shed for this reason since the start. */
  shedCount(reason: ShedReason): number {
    return this.shed.get(reason) ?? 0;
  }

  /** Number of calls that run now. */
  get runningCount(): number {
    return this.running;
  }

  /** Runs the work of a call, or throws the 503. */
  run<T>(call: AdmittedCall, work: () => T | Promise<T>): T | Promise<T> {
    const reason = this.reasonToShed(call);
    if (reason !== undefined) {
      this.shed.set(reason, this.shedCount(reason) + 1);
      throw overloaded;
    }
    const result = work();
    return result instanceof Promise ? this.hold(call.caller(), result) : result;
  }

  private reasonToShed({ isCheap, caller }: AdmittedCall): ShedReason | undefined {
    const { callsMax, perCallerMax, loopDelayMsMax } = this.limits;
    const factor = isCheap ? 2 : 1;
    if (this.running >= callsMax * factor) return "calls";
    if (this.isLate(loopDelayMsMax * factor, caller)) return "loop";
    // If fewer calls run in total than one caller may have, no caller can have reached the limit per caller.
    if (this.running < perCallerMax * factor) return undefined;
    return (this.byCaller.get(caller()) ?? 0) >= perCallerMax * factor ? "caller" : undefined;
  }

  /**
   * False below a delay of `delayMsMax`, and true from twice that delay. In between, true only for callers with at
   * least an equal share of the running calls, which is the number of running calls divided by the number of callers.
   */
  private isLate(delayMsMax: number, caller: AdmittedCall["caller"]): boolean {
    const delayMs = this.loopDelayMs();
    if (delayMs < delayMsMax) return false;
    if (delayMs >= 2 * delayMsMax) return true;
    return (this.byCaller.get(caller()) ?? 0) * this.byCaller.size >= this.running;
  }

  private hold<T>(caller: string, result: Promise<T>): Promise<T> {
    this.running += 1;
    this.byCaller.set(caller, (this.byCaller.get(caller) ?? 0) + 1);
    return result.finally(() => {
      this.running -= 1;
      const left = (this.byCaller.get(caller) ?? 1) - 1;
      if (left === 0) this.byCaller.delete(caller);
      else this.byCaller.set(caller, left);
    });
  }
}
