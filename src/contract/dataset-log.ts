import type { RetainedLog } from "./change-log.js";
import { port } from "./port.js";
import type { DatasetAt } from "./stored-answers.js";

/** A new generation or a new state of a dataset, at its position in the log of datasets. */
export interface DatasetLogEntry extends DatasetAt {
  readonly position: number;
  /** Time at which it was logged, epoch ms. */
  readonly at: number;
}

/** Reads the log of datasets, whose positions are the same on every node. */
export interface DatasetTimeline {
  extent(): Promise<RetainedLog>;
  /**
   * Reads the first entries above a position, in order. If `datasets` is given, reads only the entries of these
   * datasets.
   */
  after(position: number, entriesMax: number, datasets?: readonly string[]): Promise<readonly DatasetLogEntry[]>;
  /**
   * Reads the generation and state of each of these datasets at a position, in the order of `datasets`. Before its
   * first entry, a dataset has no generation and the state `absent`.
   */
  standingsAt(position: number, datasets: readonly string[]): Promise<readonly DatasetAt[]>;
  /** Finds the last position that was logged at or before an instant, epoch ms; 0 if the log has no such position. */
  positionAt(at: number): Promise<number>;
}

export const datasetTimeline = port<DatasetTimeline>("dataset timeline");
