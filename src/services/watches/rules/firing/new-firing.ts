import type { SnapshotState } from "../../../../contract/snapshot.js";
import type { FiredRow, FiringKind } from "../../records.js";

/** The generation of each dataset that has one. */
export type Generations = Readonly<Record<string, number>>;

/**
 * The rows of a firing, and the numbers of added, changed and removed rows. These numbers can also count rows that are
 * not in `rows`.
 */
export interface FiredRows {
  readonly rows: readonly FiredRow[];
  readonly addedCount: number;
  readonly changedCount: number;
  readonly removedCount: number;
}

/** The previous and present values, each at most 4 KB of JSON. */
export interface FiredValues {
  readonly before?: unknown;
  readonly after?: unknown;
  /** True if a value was left out because of its size. */
  readonly isTruncated?: true;
}

/** The content of a firing, as determined by its rule. */
export interface FiringContent extends Partial<FiredRows>, FiredValues {
  readonly kind: FiringKind;
  readonly previousGenerations?: Generations;
  /** A full sentence. */
  readonly message?: string;
}

/** A firing before it is assigned an id and a position. */
export interface NewFiring extends FiringContent {
  /** Epoch ms. */
  readonly firedAt: number;
  readonly state: SnapshotState;
  readonly generations: Generations;
  readonly collidingIdentities?: number;
  readonly skippedGenerations?: number;
}
