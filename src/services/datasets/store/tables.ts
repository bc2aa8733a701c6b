import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../../database/schema.js";
import { serviceTables } from "../../../database/service-tables.js";

/**
 * The tables of the log of datasets. Instants are epoch ms. Positions are assigned as 1, 2, 3, … without gaps. Later,
 * retention removes old changes, except the newest change of each dataset.
 */
export type DatasetTables = {
  dataset_log: DatasetLogTable;
  dataset_change: DatasetChangeTable;
};

/** A table with a single row: the extent of the log. */
interface DatasetLogTable {
  name: string;
  /** The last assigned position. */
  position: number;
  /** The first position from which the log contains every change. */
  oldest_position: number;
}

/** One change of a dataset: its state from this position on. */
interface DatasetChangeTable {
  position: number;
  dataset: string;
  /** ok, partial, stale, absent or unreadable. */
  state: string;
  /** Null for the first change of the dataset. */
  previous_state: string | null;
  /** Null, like the next two columns, if nothing is served. */
  generation: number | null;
  /** SHA-256, hex. */
  content_hash: string | null;
  newest_at: number | null;
  changed_at: number;
  /** Position of the dataset's next change; null for its newest one. */
  next_position: number | null;
}
export type DatasetChangeRow = Selectable<DatasetChangeTable>;

/** A database with the tables that all services share and the tables of the log. */
export type DatasetDatabase = Kysely<Database & DatasetTables>;

/** Returns the database, typed with these tables. */
export const datasetsIn = serviceTables<DatasetTables>;
