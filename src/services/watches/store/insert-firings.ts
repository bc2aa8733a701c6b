import { sql } from "kysely";
import type { StoreParts } from "../../../database/service-store.js";
import { sortableId } from "../../../kit/sortable-id.js";
import { FIRING_PREFIX } from "../rules/ids.js";
import type { WatchDatabase, WatchFiringRow } from "./tables.js";

/** A firing before it is assigned an id and a position. */
export interface UnstoredFiring {
  readonly accountId: string;
  readonly watchId: string;
  /** fired, resolved, failed or notice. */
  readonly kind: string;
  /** JSON: the served members except the id and the position. */
  readonly body: string;
}

/** Maximum number of rows per statement: 700 values, far fewer than the 32,766 that SQLite can bind. */
const ROWS_AT_ONCE = 100;

/**
 * Appends firings to the logs of their accounts, in the caller's transaction. The firings of an account keep the given
 * order. Locks the accounts until the transaction ends.
 */
export async function insertFirings(
  db: WatchDatabase,
  firings: readonly UnstoredFiring[],
  { now, randomBytes }: { readonly now: number; readonly randomBytes: StoreParts["randomBytes"] },
): Promise<readonly WatchFiringRow[]> {
  const rows: WatchFiringRow[] = [];
  for (const accountId of [...new Set(firings.map((firing) => firing.accountId))].sort()) {
    const own = firings.filter((firing) => firing.accountId === accountId);
    const first = await nextPositions(db, accountId, own.length);
    for (const [at, { watchId, kind, body }] of own.entries()) {
      const firingId = sortableId(FIRING_PREFIX, now, randomBytes);
      rows.push({
        account_id: accountId,
        position: first + at,
        firing_id: firingId,
        watch_id: watchId,
        kind,
        body,
        stored_at: now,
      });
    }
  }
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await db
      .insertInto("watch_firing")
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
  }
  return rows;
}

/** Assigns `count` consecutive positions of the account's log and returns the first of them. */
async function nextPositions(db: WatchDatabase, accountId: string, count: number): Promise<number> {
  const { position } = await db
    .updateTable("watch_account")
    .set({ position: sql<number>`position + ${count}` })
    .where("account_id", "=", accountId)
    .returning("position")
    .executeTakeFirstOrThrow();
  return position - count + 1;
}
