import { SourceFailure } from "../contract/source.js";
import type { IngredientStore } from "../snapshots/builds/ingredients.js";
import type { DatasetStatus, Generation, RunOutcome } from "../snapshots/generation.js";
import type { SourceRunReport } from "../snapshots/provenance.js";
import type { SnapshotStore } from "../snapshots/store.js";
import type { ReadingTools } from "./source-reading.js";

/** The dependencies of a run of a collection, which is a dataset read from upstreams. */
export interface CollectionTools extends ReadingTools {
  readonly store: SnapshotStore;
  readonly random: () => number;
}

/** The dependencies of a run of a collection or of a product, which is a dataset built from other datasets. */
export interface RunTools extends CollectionTools {
  readonly ingredients: IngredientStore;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onReport?: (report: SourceRunReport) => void;
  /** Called with each internal error with which the run failed, so that it is logged. */
  readonly onFault: (error: unknown) => void;
  /**
   * False to skip the dataset's gate, a check that can reject a build. Only for builds from recorded payloads, because
   * these are fragments of real payloads.
   */
  readonly gated?: boolean;
}

/** The outcome of a run of a dataset. */
export interface RunResult {
  readonly outcome: RunOutcome;
  readonly status: DatasetStatus;
  /** The generation that is served after the run. */
  readonly generation: Generation | undefined;
  readonly reports: readonly SourceRunReport[];
}

/**
 * True if a run was cancelled because the process is stopping. Such a run is not a failure of the upstream. A timeout
 * (a `SourceFailure`) does not count as cancelled.
 */
export function wasCancelled(signal: AbortSignal): boolean {
  return signal.aborted && !(signal.reason instanceof SourceFailure);
}
