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
  readonly parts: Readonly<Record<string, PartStatus>>;
}

export interface UnavailableSnapshot {
  readonly available: false;
  readonly state: "absent" | "unreadable";
  /** Why, in words for health. */
  readonly reason: string;
}

/** What an operation reads: the view is reachable only after asking whether there is one. */
export type Snapshot<View> = AvailableSnapshot<View> | UnavailableSnapshot;
