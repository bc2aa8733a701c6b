import type { LogCursors, RetainedLog } from "../../contract/change-log.js";
import { port } from "../../contract/port.js";
import type { DatasetChange, DatasetState } from "./records.js";

/** Filters of changes. An empty filter admits every value. */
export interface ChangeFilters {
  readonly dataset: readonly string[];
  readonly state: readonly string[];
}

/** The extent of the log and its changes, read at one moment. */
export interface ChangesRead {
  readonly log: RetainedLog;
  /** In order of their positions. */
  readonly changes: readonly DatasetChange[];
  /** The position up to which the read includes every admitted change. */
  readonly upTo: number;
}

/** The state of every dataset up to a position of the log, by name. */
export interface StatesRead {
  readonly position: number;
  readonly datasets: readonly DatasetState[];
}

/** Reads the log of datasets. */
export interface DatasetReading {
  /** The first admitted changes after a position. An undefined position means the latest one. */
  changesAfter(position: number | undefined, filters: ChangeFilters, changesMax: number): Promise<ChangesRead>;
  states(): Promise<StatesRead>;
}

export const datasetReading = port<DatasetReading>("dataset reading");

export const datasetCursorDesk = port<LogCursors>("dataset cursors");
