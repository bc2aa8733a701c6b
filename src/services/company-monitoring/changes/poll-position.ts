import type { PollState } from "../event-records.js";

/** The extent of an account's change log. */
export interface LogExtent {
  readonly snapshotGeneration: number;
  /** Oldest position that is retained; one above `newest` if none is. */
  readonly oldest: number;
  /** Newest position; 0 for a log without changes. */
  readonly newest: number;
}

/** The answer to a poll. */
export interface PollStanding {
  readonly state: PollState;
  /** False if the log no longer reaches back to the position, so that changes would be missing. */
  readonly isRetained: boolean;
}

/**
 * The standing of a cursor at this position and generation. Changes are delivered across a change of generation, so
 * nothing is skipped. A position above the log comes from a store that was set back; its changes may be others.
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
