import type { PartRecords } from "./bodies/body.js";
import type { BuildAccount } from "./builds/build-account.js";
import type { Comparison } from "./changes/generation-changes.js";
import type { IngredientProvenance, Provenance, SourceRunReport, StoredPartStatus } from "./provenance.js";

/** The metadata of one published generation. */
export interface Generation {
  readonly dataset: string;
  readonly generation: number;
  readonly contentHash: string;
  /**
   * Compressed size of the body. For a body that is stored as a difference, the size of the whole body on which its
   * chain of differences is based.
   */
  readonly bodyBytes: number;
  readonly builtAt: number;
  readonly newestAt: number | null;
  readonly recordCounts: Readonly<Record<string, number>>;
  readonly provenance: Provenance;
  /** The generations that a product was built from; absent for a collection. */
  readonly ingredients?: readonly IngredientProvenance[];
  /**
   * Set if the record counts or the provenance could not be read from the store. The next build then publishes a new
   * generation.
   */
  readonly isDamaged?: true;
  /**
   * Counts of the rows that the build read, left out and stored; absent if an earlier version of the service built the
   * generation.
   */
  readonly account?: BuildAccount;
}

/** The result of the newest run of a dataset. */
export interface DatasetStatus {
  readonly dataset: string;
  readonly attemptedAt: number;
  readonly outcome: RunOutcome;
  readonly error: string | null;
  readonly checkedAt: number | null;
  readonly nextAt: number | null;
  readonly failuresInRow: number;
  readonly parts: Readonly<Record<string, StoredPartStatus>>;
  /** For a product: the generation of each ingredient that the run read, by dataset; 0 if the ingredient was absent. */
  readonly ingredients?: Readonly<Record<string, number>>;
  /** For a product that summarises its builds: the summary of the latest build, even if that build was refused. */
  readonly account?: unknown;
}

/** Prefix of a run's error if the publication gate refused the build. */
export const HELD = "held by the gate: ";

export type RunOutcome = "published" | "unchanged" | "failed" | "unconfigured";

/** A finished run, ready for the store. */
export interface FinishedRun {
  readonly runId: string;
  readonly status: DatasetStatus;
  readonly reports: readonly SourceRunReport[];
}

/** Content to publish. */
export interface Build {
  readonly records: PartRecords;
  readonly newestAt: number | null;
  readonly provenance: Provenance;
  readonly ingredients?: readonly IngredientProvenance[];
  /**
   * The inputs for comparing the build with the previous generation. Default: rows are identified by their `id`, and
   * the records of the previous generation are read from the store.
   */
  readonly comparison?: Comparison;
  readonly account?: BuildAccount;
}
