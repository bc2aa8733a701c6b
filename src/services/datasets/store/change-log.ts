import { sql } from "kysely";
import type { RetainedLog } from "../../../contract/change-log.js";
import { snapshotStates } from "../../../contract/snapshot.js";
import { SNAPSHOT_GENERATION } from "../cursors.js";
import type { ChangeFilters, ChangesRead, StatesRead } from "../ports.js";
import type { DatasetChange, DatasetState } from "../records.js";
import type { LoggedState } from "../rules/moved-datasets.js";
import type { DatasetChangeRow, DatasetDatabase } from "./tables.js";

interface ExtentRow {
  readonly newest: number;
  readonly oldest: number;
}

/** A row of a left join of the log with its changes: the columns of the change are null if there is no change. */
type JoinedRow = ExtentRow & { readonly [K in keyof DatasetChangeRow]: DatasetChangeRow[K] | null };

/** Reads the extent of the log. */
export async function logExtent(db: DatasetDatabase): Promise<RetainedLog> {
  // Plain SQL, because building the query would take longer than running it.
  const { rows } = await sql<ExtentRow>`
    select position as newest, oldest_position as oldest from dataset_log`.execute(db);
  return extentOf(rows[0]);
}

function extentOf(row: ExtentRow | undefined): RetainedLog {
  if (!row) throw new Error("the log of datasets has no extent");
  return { newest: row.newest, oldest: row.oldest, snapshotGeneration: SNAPSHOT_GENERATION };
}

/**
 * Maximum number of positions that one filtered read searches, so that a filter for a rare value does not scan the
 * whole log.
 */
export const POSITIONS_SEARCHED_MAX = 20_000;

/** Reads the first changes after `position` that match the filters, and the extent of the log. */
export async function changesAfter(
  db: DatasetDatabase,
  position: number | undefined,
  { dataset, state }: ChangeFilters,
  changesMax: number,
): Promise<ChangesRead> {
  const extent = await logExtent(db);
  // Most polls end here: they find nothing new and have read only one row.
  if (position === undefined || extent.newest <= position) return { log: extent, changes: [], upTo: extent.newest };
  const isFiltered = dataset.length > 0 || state.length > 0;
  const searchedTo = isFiltered ? position + POSITIONS_SEARCHED_MAX : Number.MAX_SAFE_INTEGER;
  const isSearched = sql`position > ${position} and position <= ${searchedTo}`;
  const isNamed = dataset.length === 0 ? [] : [sql`dataset in (${sql.join(dataset)})`];
  const isIn = state.length === 0 ? [] : [sql`state in (${sql.join(state)})`];
  // One statement reads the extent and the changes, so that retention cannot remove changes in between.
  const { rows } = await sql<JoinedRow>`
    select l.position as newest, l.oldest_position as oldest, page.*
    from dataset_log l
    left join (
      select * from dataset_change where ${sql.join([isSearched, ...isNamed, ...isIn], sql` and `)}
      order by position limit ${changesMax}
    ) page on true
    order by page.position`.execute(db);
  const log = extentOf(rows[0]);
  const changes = rows.flatMap(changeRowOf).map(changeOf);
  const last = changes.length === changesMax ? changes.at(-1) : undefined;
  return { log, changes, upTo: last?.position ?? Math.min(searchedTo, log.newest) };
}

/** Reads the newest position of the log and the current state of every dataset in one statement. */
export async function statesNow(db: DatasetDatabase): Promise<StatesRead> {
  const { rows } = await sql<JoinedRow>`
    select l.position as newest, l.oldest_position as oldest, c.*
    from dataset_log l left join dataset_change c on c.next_position is null`.execute(db);
  const datasets = rows.flatMap(changeRowOf).map(stateOf);
  // Sorted here, because databases order hyphens differently.
  datasets.sort((a, b) => (a.dataset < b.dataset ? -1 : 1));
  return { position: extentOf(rows[0]).newest, datasets };
}

/** Reads the newest logged state of every dataset, by name. */
export async function loggedStates(db: DatasetDatabase): Promise<ReadonlyMap<string, LoggedState>> {
  const rows = await db.selectFrom("dataset_change").selectAll().where("next_position", "is", null).execute();
  return new Map(
    rows.map(({ dataset, state, generation, content_hash, newest_at }) => [
      dataset,
      { dataset, state: servedState(state), generation, contentHash: content_hash, newestAt: newest_at },
    ]),
  );
}

function changeRowOf(row: JoinedRow): readonly DatasetChangeRow[] {
  // The join fills either all columns of a change or none.
  return row.dataset === null ? [] : [row as DatasetChangeRow];
}

function changeOf(row: DatasetChangeRow): DatasetChange {
  const { position, previous_state } = row;
  return {
    position,
    ...stateOf(row),
    ...(previous_state !== null && { previousState: servedState(previous_state) }),
  };
}

function stateOf({ dataset, state, generation, content_hash, newest_at, changed_at }: DatasetChangeRow): DatasetState {
  return {
    dataset,
    state: servedState(state),
    ...(generation !== null && { generation }),
    ...(content_hash !== null && { contentHash: content_hash }),
    ...(newest_at !== null && { newestAt: new Date(newest_at).toISOString() }),
    changedAt: new Date(changed_at).toISOString(),
  };
}

/** Returns a row's state as one of `snapshotStates`. Throws for an unknown state. */
export function servedState(text: string): LoggedState["state"] {
  const state = snapshotStates.find((name) => name === text);
  if (state === undefined) throw new Error(`the log of datasets has the unknown state ${text}`);
  return state;
}
