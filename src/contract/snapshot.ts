/** How fresh and whole a stored dataset is. `ok` is the only state whose answers may be cached. */
export type SnapshotState = "ok" | "partial" | "stale" | "absent" | "unreadable";

/** Where one part of a snapshot stands after the newest run. */
export interface PartStatus {
  /**
   * `fresh`: read in the newest run; `kept`: older values stand in for a failed read; `missing`: nothing to serve;
   * `off`: it needs a setting that nobody has given.
   */
  readonly state: "fresh" | "kept" | "missing" | "off";
  /** When its values were last confirmed by the upstream, epoch ms; null when never. */
  readonly confirmedAt: number | null;
  /** Why the newest read failed, in words. */
  readonly error: string | null;
  /** Why a source that is preferred could not be read, where another was read in its place. */
  readonly passedOver?: string;
  /** What is missing behind what was read, in words. */
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
  /** When it ended, epoch ms. */
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
  /** When this content was produced, epoch ms. */
  readonly builtAt: number;
  /** When an upstream last confirmed it, epoch ms. */
  readonly checkedAt: number;
  /** Newest observation in it, epoch ms. */
  readonly newestAt: number | null;
  /** When the next build is expected, epoch ms; null where none is scheduled. */
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

/** What an operation reads: the view is reachable only after asking whether there is one. */
export type Snapshot<View> = AvailableSnapshot<View> | UnavailableSnapshot;
