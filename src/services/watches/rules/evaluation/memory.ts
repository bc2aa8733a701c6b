import type { SnapshotState } from "../../../../contract/snapshot.js";
import type { DatasetAt } from "../../../../contract/stored-answers.js";

/** The generation and state of each dataset that a watch reads. */
type Standings = Readonly<Record<string, readonly [generation: number | null, state: SnapshotState]>>;

/** An answer, identified by its inputs. */
export interface AnswerPlace {
  readonly standings: Standings;
  /** Time of the answer, epoch ms. */
  readonly at: number;
}

/**
 * The state of a watch between two evaluations, as JSON. It contains no rows, because rows are read again from stored
 * generations.
 */
export interface WatchMemory {
  readonly version: 1;
  /** The position in the log of datasets up to which every entry was evaluated or skipped. */
  readonly evaluatedPosition: number;
  /** The standings at that position. */
  readonly current: Standings;
  /**
   * The last reported truth value of the condition, or the last reported state of the data. Null before the first
   * conclusive evaluation, and always null for a watch that compares rows or values (NEW_ROWS, CHANGED).
   */
  readonly told: boolean | SnapshotState | null;
  /** The last complete answer that was compared; for STATE_CHANGES, the last evaluated answer in any state. */
  readonly baseline: AnswerPlace | null;
  /**
   * The latest degraded answers since the baseline, oldest first: as many as are needed to contain every row reported
   * since then, and at most `PARTIAL_BASELINES_MAX`.
   */
  readonly partialBaselines: readonly AnswerPlace[];
  /**
   * Time of the next wake-up, epoch ms; null if the watch waits only for entries. It is the end of the quiet period. If
   * the watch is new or has skipped entries, and is not quiet, it is the time at which the watch started or continued.
   */
  readonly quietUntil: number | null;
  /**
   * True if the wake-up at `quietUntil` must evaluate the watch: entries arrived during the quiet period or were
   * skipped, or the watch is new.
   */
  readonly hasWaited: boolean;
  readonly failuresInRow: number;
  readonly lastError?: string;
  /** Number of rows in the last list that have the same identity as an earlier row of that list. */
  readonly collisions: number;
  /** Number of entries since the last firing that were never evaluated. */
  readonly skipped: number;
}

/** A position in the log of datasets, with the standings there. */
export interface LogPosition {
  readonly position: number;
  /** Epoch ms. */
  readonly at: number;
  readonly standings: readonly DatasetAt[];
}

/**
 * Returns the memory of a watch that starts at a position. Its first wake-up, at `at`, has nothing to compare with and
 * reports only failures.
 */
export function firstMemory(position: number, at: number, standings: readonly DatasetAt[]): WatchMemory {
  return {
    version: 1,
    evaluatedPosition: position,
    current: standingsOf(standings),
    told: null,
    baseline: null,
    partialBaselines: [],
    quietUntil: at,
    hasWaited: true,
    failuresInRow: 0,
    collisions: 0,
    skipped: 0,
  };
}

/**
 * Returns the memory after the entries up to a position have been skipped. The next wake-up evaluates the standings at
 * that position.
 */
export function skipTo(memory: WatchMemory, { position, at, standings }: LogPosition, skipped: number): WatchMemory {
  const { quietUntil } = memory;
  return {
    ...memory,
    evaluatedPosition: position,
    current: standingsOf(standings),
    quietUntil: quietUntil === null ? at : Math.max(quietUntil, at),
    hasWaited: true,
    skipped: memory.skipped + skipped,
  };
}

/**
 * Returns the memory without its failures. Called after a successful evaluation, and when a disabled watch is
 * activated.
 */
export function withoutFailures({ lastError: _, ...memory }: WatchMemory): WatchMemory {
  return { ...memory, failuresInRow: 0 };
}

/** Returns the latest of the answers that the next answer is compared with; null if there are none. */
export function lastAnswer({ baseline, partialBaselines }: WatchMemory): AnswerPlace | null {
  return partialBaselines.at(-1) ?? baseline;
}

/** True if a watch with this memory reads exactly these datasets. */
export function readsTheSame({ current }: WatchMemory, datasets: readonly string[]): boolean {
  return Object.keys(current).length === datasets.length && datasets.every((name) => Object.hasOwn(current, name));
}

export function standingsOf(standings: readonly DatasetAt[]): Standings {
  return Object.fromEntries(standings.map(({ dataset, generation, state }) => [dataset, [generation, state]]));
}

export function datasetsAt(standings: Standings): readonly DatasetAt[] {
  return Object.entries(standings).map(([dataset, [generation, state]]) => ({ dataset, generation, state }));
}
