/** The freshness and completeness of a stored dataset. `ok` is the only state whose answers may be cached. */
export type SnapshotState = "ok" | "partial" | "stale" | "absent" | "unreadable";

/** The status of one part of a snapshot after the newest run. */
export interface PartStatus {
  /**
   * `fresh`: read in the newest run; `kept`: older values stand in for a failed read; `missing`: nothing to serve;
   * `off`: it needs a setting that nobody has given.
   */
  readonly state: "fresh" | "kept" | "missing" | "off";
  /** Time at which the upstream last confirmed its values, epoch ms; null if it never did. */
  readonly confirmedAt: number | null;
  /** The error of the newest read, in words. */
  readonly error: string | null;
  /** The error of a preferred source, if another was read in its place. */
  readonly passedOver?: string;
  /** The gap behind the read rows, in words. */
  readonly lacking?: string;
}

/** A part whose newest observation is older than its limit. */
export interface AgedPart {
  readonly part: string;
  /** Its newest observation, epoch ms. */
  readonly newestAt: number;
  /** The age that its newest observation may reach. */
  readonly maxMs: number;
}

/** The newest run of a dataset, whether or not it published anything. */
export interface SnapshotAttempt {
  /** Time at which it ended, epoch ms. */
  readonly at: number;
  /** `held`: it had something to publish, and the gate refused it. */
  readonly ended: "ok" | "held" | "failed";
  /** Its account of each part that gives one and was read, by part. */
  readonly accounts?: Readonly<Record<string, unknown>>;
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
  /** Time at which an upstream last confirmed it, epoch ms. */
  readonly checkedAt: number;
  /** Newest observation in it, epoch ms. */
  readonly newestAt: number | null;
  /** Time of the next expected build, epoch ms; null if none is scheduled. */
  readonly nextBuildAt: number | null;
  /** For operations that declare `showsAttempts`; null before the first run. */
  readonly attempt: SnapshotAttempt | null;
  readonly parts: Readonly<Record<string, PartStatus>>;
  /** Parts over the limit to their content's age, the one longest over it first. Absent where there is none. */
  readonly aged?: readonly AgedPart[];
  /** The newest stored generation, where it cannot be read and this earlier one stands in for it. */
  readonly newerUnreadable?: { readonly generation: number; readonly reason: string };
  /** The content that a partial build says it lacks, in words. Absent where it lacks none. */
  readonly lacking?: string;
}

export interface UnavailableSnapshot {
  readonly available: false;
  readonly state: "absent" | "unreadable";
  /** Why, in words for health. */
  readonly reason: string;
  /** For operations that declare `showsAttempts`; null before the first run. */
  readonly attempt: SnapshotAttempt | null;
}

/** The snapshot that an operation reads; its view is reachable only after a check of `available`. */
export type Snapshot<View> = AvailableSnapshot<View> | UnavailableSnapshot;
