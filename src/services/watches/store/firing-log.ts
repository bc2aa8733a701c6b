import { type RawBuilder, sql } from "kysely";
import type { RetainedLog } from "../../../contract/change-log.js";
import type { FiringFilters, FiringsRead } from "../ports.js";
import type { WatchFiring } from "../records.js";
import { SNAPSHOT_GENERATION } from "../rules/cursors.js";
import type { FiringMembers } from "../rules/firing/firing-members.js";
import type { WatchDatabase, WatchFiringRow } from "./tables.js";

/**
 * Maximum number of positions that one filtered read searches, so that a rare value does not cost a scan of the whole
 * log.
 */
export const POSITIONS_SEARCHED_MAX = 20_000;

const emptyLog: RetainedLog = { oldest: 1, newest: 0, snapshotGeneration: SNAPSHOT_GENERATION };

interface ExtentRow {
  readonly newest: number;
  readonly oldest: number;
}

/** A row of a left join. If no firing matches, the columns of the firing are null. */
interface ReadRow extends ExtentRow {
  readonly position: number | null;
  readonly firing_id: string | null;
  readonly body: string | null;
}

/** Reads the extent of the log of an account. */
export async function firingExtent(db: WatchDatabase, accountId: string): Promise<RetainedLog> {
  // Plain SQL, because building the query would take longer than running it.
  const { rows } = await sql<ExtentRow>`
    select position as newest, oldest_position as oldest from watch_account where account_id = ${accountId}`.execute(
    db,
  );
  return extentOf(rows[0]);
}

function extentOf(row: ExtentRow | undefined): RetainedLog {
  return row ? { newest: row.newest, oldest: row.oldest, snapshotGeneration: SNAPSHOT_GENERATION } : emptyLog;
}

/**
 * Reads the extent of the log of an account, and at most `firingsMax` firings after a position. Skips firings that the
 * filters exclude.
 */
export async function firingsAfter(
  db: WatchDatabase,
  { accountId, position }: { readonly accountId: string; readonly position: number | "oldest" },
  { watchId, kind }: FiringFilters,
  firingsMax: number,
): Promise<FiringsRead> {
  const extent = await firingExtent(db, accountId);
  const from = position === "oldest" ? extent.oldest - 1 : position;
  // Most polls find nothing new and read only the row with the extent.
  if (extent.newest <= from) return { log: extent, from, firings: [], upTo: extent.newest };
  const isFiltered = watchId.length > 0 || kind.length > 0;
  const searchedTo = isFiltered ? from + POSITIONS_SEARCHED_MAX : Number.MAX_SAFE_INTEGER;
  const conditions: RawBuilder<unknown>[] = [
    sql`account_id = ${accountId}`,
    sql`position > ${from} and position <= ${searchedTo}`,
    ...(watchId.length === 0 ? [] : [sql`watch_id in (${sql.join(watchId)})`]),
    ...(kind.length === 0 ? [] : [sql`kind in (${sql.join(kind)})`]),
  ];
  // The extent is read a second time, in the same statement as the firings, so that retention cannot remove firings
  // after the extent is read and before the firings are read.
  const { rows } = await sql<ReadRow>`
    select a.position as newest, a.oldest_position as oldest, page.position, page.firing_id, page.body
    from watch_account a
    left join (
      select position, firing_id, body from watch_firing where ${sql.join(conditions, sql` and `)}
      order by position limit ${firingsMax}
    ) page on true
    where a.account_id = ${accountId}
    order by page.position`.execute(db);
  const log = extentOf(rows[0]);
  const firings = rows.flatMap(({ position: at, firing_id, body }) =>
    at === null || firing_id === null || body === null ? [] : [firingOf({ position: at, firing_id, body })],
  );
  const last = firings.length === firingsMax ? firings.at(-1) : undefined;
  return { log, from, firings, upTo: last?.position ?? Math.min(searchedTo, log.newest) };
}

/** Converts a stored firing to its served form. */
export function firingOf({
  position,
  firing_id,
  body,
}: Pick<WatchFiringRow, "position" | "firing_id" | "body">): WatchFiring {
  // The value is not checked, because the evaluator wrote this column.
  const members: FiringMembers = JSON.parse(body);
  return { position, firingId: firing_id, ...members };
}

/** Reads the newest positions of these accounts, except those that never had a watch. */
export async function newestFirings(
  db: WatchDatabase,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("watch_account")
    .select(["account_id", "position"])
    .where("account_id", "in", accountIds)
    .execute();
  return new Map(rows.map(({ account_id, position }) => [account_id, position]));
}
