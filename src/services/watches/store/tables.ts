import type { Kysely, Selectable } from "kysely";
import type { Database } from "../../../database/schema.js";
import { serviceTables } from "../../../database/service-tables.js";

/**
 * The tables of watches. Instants are epoch ms; structured columns hold JSON text. A transaction changes existing rows
 * of watches before those of accounts, each in id order, so that transactions cannot deadlock.
 */
export type WatchTables = {
  watch: WatchTable;
  watch_read: WatchReadTable;
  watch_account: WatchAccountTable;
  watch_firing: WatchFiringTable;
  watch_progress: WatchProgressTable;
};

interface WatchTable {
  watch_id: string;
  account_id: string;
  /** JSON: the definition. */
  definition: string;
  /** active, paused or disabled. */
  state: string;
  state_reason: string | null;
  /** JSON: the `WatchMemory`. */
  memory: string;
  /**
   * Counts the stored outcomes, and the changes of the definition and the state. An outcome is stored only for the
   * revision that it was computed from.
   */
  revision: number;
  /** The position in the log of datasets up to which the watch was evaluated. */
  evaluated_position: number;
  /** Time of the watch's next wake-up (`WatchMemory.quietUntil`); null if the watch waits only for changes. */
  due_at: number | null;
  /**
   * Position from which the watch may have unevaluated changes, because it is new, was updated, paused or resumed, or
   * was postponed to a later run; null if it was evaluated up to the position in `watch_progress`.
   */
  behind_from: number | null;
  /** Number of failed evaluations since the last success. */
  failure_count: number;
  /** Part of the link to the watch's feed; a new number revokes the link. */
  feed_revision: number;
  firing_count: number;
  last_fired_at: number | null;
  created_at: number;
  updated_at: number;
}
export type WatchRow = Selectable<WatchTable>;

/** The datasets that a watch reads. */
interface WatchReadTable {
  dataset: string;
  watch_id: string;
}

/** The counters of an account and the extent of its log of firings. */
interface WatchAccountTable {
  account_id: string;
  watch_count: number;
  /** The last assigned position. */
  position: number;
  /** The first position from which the log contains every firing. */
  oldest_position: number;
}

interface WatchFiringTable {
  account_id: string;
  position: number;
  firing_id: string;
  watch_id: string;
  /** fired, resolved, failed or notice. */
  kind: string;
  /** JSON: the firing without its id and position. */
  body: string;
  stored_at: number;
}
export type WatchFiringRow = Selectable<WatchFiringTable>;

/** One row: the position of the log of datasets up to which every watch was evaluated or postponed. */
interface WatchProgressTable {
  name: string;
  position: number;
}

/** A database with the tables of `Database` and of watches. */
export type WatchDatabase = Kysely<Database & WatchTables>;

/** Returns the same database with a type that includes these tables. */
export const watchesIn = serviceTables<WatchTables>;
