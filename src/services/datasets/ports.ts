import type { LogCursors, RetainedLog } from "../../contract/change-log.js";
import { port } from "../../contract/port.js";
import type { DatasetChange, DatasetState } from "./records.js";

/** Filters of changes. An empty filter admits every value. */
export interface ChangeFilters {
  readonly dataset: readonly string[];
  readonly state: readonly string[];
}

/** The result of a read: the extent of the log and some of its changes, as of one moment. */
export interface ChangesRead {
  readonly log: RetainedLog;
  /** In order of their positions. */
  readonly changes: readonly DatasetChange[];
  /** `changes` has every matching change after the requested position, up to and including this position. */
  readonly upTo: number;
}

/** The state of every dataset as of a position of the log, sorted by name. */
export interface StatesRead {
  readonly position: number;
  readonly datasets: readonly DatasetState[];
}

/** Reads the change log and the states of the datasets. */
export interface DatasetReading {
  /**
   * Reads changes that are after a position and pass the filters: the first ones, at most `changesMax`. An undefined
   * position means the end of the log, so that no change is returned.
   */
  changesAfter(position: number | undefined, filters: ChangeFilters, changesMax: number): Promise<ChangesRead>;
  states(): Promise<StatesRead>;
}

export const datasetReading = port<DatasetReading>("dataset reading");

export const datasetCursorDesk = port<LogCursors>("dataset cursors");
