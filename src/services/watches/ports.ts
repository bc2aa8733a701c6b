import type { LogCursors, RetainedLog } from "../../contract/change-log.js";
import { type Port, port } from "../../contract/port.js";
import type { WatchDefinition, WatchFiring } from "./records.js";
import type { PlannedAccount } from "./rules/evaluation/plan-includes.js";
import type { FiringFeedSource } from "./rules/firing/firing-feed.js";
import type { TestContinuations } from "./rules/test-continuation.js";
import type { WatchMemory } from "./rules/watch-step.js";
import type { Watch, WatchState } from "./served-watch.js";

/** A definition with the datasets that its call reads, and the memory from which its evaluation starts. */
export interface WatchStart {
  readonly definition: WatchDefinition;
  readonly datasets: readonly string[];
  readonly memory: WatchMemory;
}

export interface StoredWatch {
  readonly watch: Watch;
  readonly definition: WatchDefinition;
}

/** The feeds of watches. Each link to a feed contains a token. Whoever has the token can read the feed. */
export interface WatchFeeds {
  /**
   * The watch of a token, with its latest firings and its account; undefined if the token is invalid or revoked, or the
   * plan of the account is not in force. The firings include those of calls that the plan does not include.
   */
  read(
    token: string,
    firingsMax: number,
  ): Promise<(FiringFeedSource & { readonly account: PlannedAccount }) | undefined>;
}

/**
 * The watches of the caller's account. An undefined result, or false from `remove`, means that the account has no such
 * watch.
 */
export interface Watches {
  /** Maximum number of watches of the account. */
  readonly watchesMax: number;
  /** The first watches after an id, in the order of their creation. */
  list(after: string, rowsMax: number): Promise<readonly Watch[]>;
  find(watchId: string): Promise<StoredWatch | undefined>;
  create(start: WatchStart): Promise<Watch | "too many">;
  /**
   * Replaces the definition, and activates the watch if it is disabled. The evaluation continues if `goesOn`; otherwise
   * it restarts from `start.memory`. Throws the 422 if the plan permits no further active watch.
   */
  update(watchId: string, start: WatchStart, goesOn: boolean): Promise<Watch | undefined>;
  /** Throws the 422 if the plan permits no further active watch. */
  setState(watchId: string, state: WatchState): Promise<Watch | undefined>;
  /** Revokes the link to the watch's feed and issues a new one. */
  rotateFeed(watchId: string): Promise<Watch | undefined>;
  /** Removes the watch. Its firings stay in the log. */
  remove(watchId: string): Promise<boolean>;
}

export const watchFeeds: Port<WatchFeeds> = port("watch feeds");

/** Signs and verifies the strings with which the caller continues a truncated run of `test-watch`. */
export const testContinuationsPort: Port<TestContinuations> = port("test continuations");

export const watchesPort: Port<Watches> = port("watches");

/** Filters of firings. An empty filter admits every value. */
export interface FiringFilters {
  readonly watchId: readonly string[];
  /** Short kind names, such as `fired`. */
  readonly kind: readonly string[];
}

/** The result of one read of an account's log: the extent of the log and the firings found, both at the same moment. */
export interface FiringsRead {
  readonly log: RetainedLog;
  /** The position after which the read started. */
  readonly from: number;
  /** In order of their positions. */
  readonly firings: readonly WatchFiring[];
  /** The position up to which the read includes every firing that the filters admit. */
  readonly upTo: number;
}

/** Reads the log of the caller's firings. */
export interface FiringReading {
  readonly cursors: LogCursors;
  /**
   * Reads the firings after a position, and returns the first ones that the filters admit. Returns at most `firingsMax`
   * firings.
   */
  after(position: number | "oldest", filters: FiringFilters, firingsMax: number): Promise<FiringsRead>;
}

export const firingReading: Port<FiringReading> = port("watch firings");
