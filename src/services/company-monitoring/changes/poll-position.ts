import type { PollState } from "../event-records.js";

/** The extent of an account's change log. */
export interface LogExtent {
  readonly snapshotGeneration: number;
  /** Position of the newest retained change of the portfolio; absent if the log retains none. */
  readonly snapshotPosition?: number;
  /** Oldest retained position; `newest` + 1 if the log retains no changes. */
  readonly oldest: number;
  /** Newest position; 0 before the first change. */
  readonly newest: number;
}

/** The answer to a poll. */
export interface PollStanding {
  readonly state: PollState;
  /**
   * False if the log no longer has every change after the cursor's position, or if this position is beyond the newest
   * one.
   */
  readonly isRetained: boolean;
}

/**
 * Returns the state of a poll with this cursor. A new snapshot generation requires a new snapshot, but the changes in
 * the log are still delivered, so the caller misses none. A position beyond the newest one was issued before the store
 * was restored from a backup. The changes below this position may differ from those that the caller has read, so the
 * position does not count as retained.
 */
export function pollStanding(
  cursor: { readonly watermark: number; readonly snapshotGeneration: number },
  log: LogExtent,
): PollStanding {
  const isRetained = cursor.watermark + 1 >= log.oldest && cursor.watermark <= log.newest;
  const isCurrent = isRetained && cursor.snapshotGeneration === log.snapshotGeneration;
  const state = isCurrent ? "COMPANY_EVENT_POLL_STATE_CURRENT" : "COMPANY_EVENT_POLL_STATE_SNAPSHOT_REQUIRED";
  return { state, isRetained };
}
