import type { StoreParts } from "../../../database/service-store.js";
import { inTransaction } from "../../../database/transaction.js";
import { DAY_MS } from "../../../kit/clock.js";
import { type DatasetDatabase, datasetsIn } from "./tables.js";

const KEPT_MS = 90 * DAY_MS;
/** Maximum number of positions that the log reaches back. Busy installations log about 5,000 changes a day. */
export const POSITIONS_MAX = 200_000;
/** Maximum number of rows removed in one transaction, so that no write waits for long. */
const ROWS_MAX = 1_000;

/**
 * Removes changes after 90 days, and the oldest changes beyond 200,000 positions. The newest change of a dataset stays,
 * because it is the dataset's current state.
 */
export async function thinLog({ database, clock }: StoreParts): Promise<void> {
  const now = clock.now();
  const thinOnce = (): Promise<number> => inTransaction(database.db, (on) => removeOldest(datasetsIn(on), now));
  while ((await thinOnce()) === ROWS_MAX);
}

/** Removes the changes before the first one to keep, and moves `oldest_position` past them. */
async function removeOldest(db: DatasetDatabase, now: number): Promise<number> {
  // The update locks the log until the transaction ends.
  const { position, oldest_position } = await db
    .updateTable("dataset_log")
    .set((log) => ({ position: log.ref("position") }))
    .returningAll()
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom("dataset_change")
    .select(["position", "changed_at"])
    .where("next_position", "is not", null)
    .orderBy("position")
    .limit(ROWS_MAX)
    .execute();
  const kept = rows.findIndex((row) => row.changed_at >= now - KEPT_MS && row.position > position - POSITIONS_MAX);
  const old = kept === -1 ? rows : rows.slice(0, kept);
  const last = old.at(-1);
  if (!last) return 0;
  await db
    .deleteFrom("dataset_change")
    .where("next_position", "is not", null)
    .where("position", "<=", last.position)
    .execute();
  await db
    .updateTable("dataset_log")
    .set({ oldest_position: Math.max(oldest_position, last.position + 1) })
    .execute();
  return old.length;
}
