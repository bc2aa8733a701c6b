import type { TestedWatchFiring, TestWatchResponse } from "../../../src/sdk/index.js";

/** The current state of a dry run, which tests a watch on past data. */
export interface DryRun {
  readonly from: string;
  /** The end of the period evaluated so far; the run is complete at `until`. */
  readonly to: string;
  readonly until: string;
  readonly evaluations: number;
  readonly firingCount: number;
  readonly firings: readonly TestedWatchFiring[];
  readonly skippedGenerations: number;
  /** The value with which the next call continues the run; undefined before the first call, and for a complete run. */
  readonly continuation: string | undefined;
}

/** A run before its first part. `until` is its end. */
export function begunAt(from: string, until: string): DryRun {
  const counts = { evaluations: 0, firingCount: 0, skippedGenerations: 0 };
  return { from, to: from, until, ...counts, firings: [], continuation: undefined };
}

/** A run extended by its next part. */
export function joined(last: DryRun, next: TestWatchResponse): DryRun {
  return {
    from: last.continuation === undefined ? next.from : last.from,
    to: next.to,
    until: next.truncated ? last.until : next.to,
    evaluations: last.evaluations + next.evaluations,
    firingCount: last.firingCount + next.firingCount,
    firings: [...last.firings, ...next.firings],
    skippedGenerations: last.skippedGenerations + next.skippedGenerations,
    continuation: next.truncated ? next.continuation : undefined,
  };
}
