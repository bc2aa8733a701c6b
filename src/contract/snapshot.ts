import type { Revisions } from "./revisions.js";

/** The states of a stored dataset, from the best to the worst. */
export const snapshotStates = ["ok", "partial", "stale", "absent", "unreadable"] as const;

/**
 * The freshness and completeness of a stored dataset. Except for answers to `as_of`, `ok` is the only state whose
 * answers may be cached.
 */
export type SnapshotState = (typeof snapshotStates)[number];

/** The status of one part of a snapshot after the latest run. */
export interface PartStatus {
  /**
   * `fresh`: read in the latest run; `kept`: older values are served because the latest read failed; `missing`: nothing
   * to serve; `off`: its sources lack a setting or are switched off.
   */
  readonly state: "fresh" | "kept" | "missing" | "off";
  /** Time at which the upstream last confirmed the part's values, epoch ms; null if it never did. */
  readonly confirmedAt: number | null;
  /** The error of the latest read, as text for people; null if there was none. */
  readonly error: string | null;
  /** The error of a preferred source, if another was read in its place. */
  readonly passedOver?: string;
  /** A sentence on the rows that are missing. */
  readonly lacking?: string;
}

/** A part whose newest observation is older than its limit. */
export interface AgedPart {
  readonly part: string;
  /** Its newest observation, epoch ms. */
  readonly newestAt: number;
  /** Its age limit. */
  readonly maxMs: number;
}

/** The latest run of a dataset, whether or not it published anything. */
export interface SnapshotAttempt {
  /** Time at which the run ended, epoch ms. */
  readonly at: number;
  /** `held`: the dataset's `gate` rejected the build. */
  readonly ended: "ok" | "held" | "failed";
  /** The summary that a product's `account` returned for the build. Absent without `account` or without a build. */
  readonly account?: unknown;
}

export interface AvailableSnapshot<View> {
  readonly available: true;
  readonly state: "ok" | "partial" | "stale";
  readonly view: View;
  readonly generation: number;
  /** SHA-256 of the content, hex: equal content has an equal hash on every node. */
  readonly contentHash: string;
  /** Time at which this content was produced, epoch ms. */
  readonly builtAt: number;
  /** Time at which an upstream last confirmed this content, epoch ms. */
  readonly checkedAt: number;
  /** Time of the newest observation in this content, epoch ms; null if unknown. */
  readonly newestAt: number | null;
  /** Time of the next expected build, epoch ms; null if none is scheduled. */
  readonly nextBuildAt: number | null;
  /** For operations that declare `showsAttempts`; null before the first run. */
  readonly attempt: SnapshotAttempt | null;
  readonly parts: Readonly<Record<string, PartStatus>>;
  /** The parts that exceed their age limit, starting with the part that exceeds it most. Absent if there are none. */
  readonly aged?: readonly AgedPart[];
  /**
   * For a dataset that is built from others: the ingredients that are stale or cannot be read. They make the dataset
   * stale too. Absent if there are none.
   */
  readonly staleIngredients?: readonly string[];
  /** The latest stored generation, if it cannot be read and this earlier one is served instead. */
  readonly newerUnreadable?: { readonly generation: number; readonly reason: string };
  /** A sentence on the content that a partial build lacks. Absent if it lacks nothing. */
  readonly lacking?: string;
  /** The former rows of the dataset. Only for operations that select them by `revisionsFor`. */
  readonly revisions?: Revisions;
}

export interface UnavailableSnapshot {
  readonly available: false;
  readonly state: "absent" | "unreadable";
  /** The reason in words, which `/api/health` serves. */
  readonly reason: string;
  /** For operations that declare `showsAttempts`; null before the first run. */
  readonly attempt: SnapshotAttempt | null;
}

/** The snapshot that an operation reads; its view is reachable only after a check of `available`. */
export type Snapshot<View> = AvailableSnapshot<View> | UnavailableSnapshot;

/** The served facts about a dataset at one moment, without its content. */
export interface DatasetStanding {
  readonly dataset: string;
  readonly state: SnapshotState;
  /** Number of the served generation; null if nothing is served. */
  readonly generation: number | null;
  /**
   * Number of the latest stored generation that this node has found: the served one, or a later one that cannot be
   * read. Null if nothing is served.
   */
  readonly newestGeneration: number | null;
  /** SHA-256 of the served content, hex; null if nothing is served. */
  readonly contentHash: string | null;
  /** Time of the newest observation in the served content, epoch ms; null if unknown. */
  readonly newestAt: number | null;
}
