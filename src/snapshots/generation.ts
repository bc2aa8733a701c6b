import type { PartRecords } from "./body.js";
import type { Provenance, SourceRunReport, StoredPartStatus } from "./provenance.js";

/** The metadata of one published generation. */
export interface Generation {
  readonly dataset: string;
  readonly generation: number;
  readonly contentHash: string;
  readonly bodyBytes: number;
  readonly builtAt: number;
  readonly newestAt: number | null;
  readonly recordCounts: Readonly<Record<string, number>>;
  readonly provenance: Provenance;
  /** What describes it could not be read from the store; the next build is a generation of its own. */
  readonly isDamaged?: true;
}

/** How the newest run of a dataset went. */
export interface DatasetStatus {
  readonly dataset: string;
  readonly attemptedAt: number;
  readonly outcome: RunOutcome;
  readonly error: string | null;
  readonly checkedAt: number | null;
  readonly nextAt: number | null;
  readonly failuresInRow: number;
  readonly parts: Readonly<Record<string, StoredPartStatus>>;
}

/** How the error begins of a run that had something to publish and was held by the gate. */
export const HELD = "held by the gate: ";

export type RunOutcome = "published" | "unchanged" | "failed" | "unconfigured";

/** A finished run on its way into the store. */
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
}
