import { sql } from "kysely";
import { OPERATOR_ACCOUNT, type Principal } from "../../../contract/access/principal.js";
import type { StoreCall, StoreParts } from "../../../database/service-store.js";
import { sortableId } from "../../../kit/sortable-id.js";
import type { Watches, WatchStart } from "../ports.js";
import { activeLimitReached } from "../rules/failures.js";
import { WATCH_PREFIX } from "../rules/ids.js";
import { withoutFailures } from "../rules/watch-step.js";
import type { Watch } from "../served-watch.js";
import { type WatchesByPlan, watchesMax } from "../settings.js";
import { accountOf } from "./account-of.js";
import { dropRecipients } from "./mail/addresses.js";
import { mailsIn } from "./mail/tables.js";
import { progressOf } from "./progress.js";
import { type WatchDatabase, type WatchRow, watchesIn } from "./tables.js";
import { raiseFeedRevision } from "./watch-feed.js";
import { definitionOf, memoryOf, servedWatches, stateColumn } from "./watch-rows.js";

/** Opens the watches of the caller's account. */
export function watchStore(parts: StoreParts, call: StoreCall): Watches {
  const { clock, settingOf, signer } = parts;
  const db = watchesIn(call.db);
  const accountId = accountOf(call);
  const ownMax = watchesOf(settingOf(watchesMax), call.principal);
  const show = async (row: WatchRow): Promise<Watch> => {
    const [watch] = await servedWatches(call.db, [row], signer);
    if (!watch) throw new Error("a watch was not served");
    return watch;
  };
  return {
    watchesMax: ownMax,
    async list(after, rowsMax) {
      const rows = await db
        .selectFrom("watch")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("watch_id", ">", after)
        .orderBy("watch_id")
        .limit(rowsMax)
        .execute();
      return servedWatches(call.db, rows, signer);
    },
    async find(watchId) {
      const row = await db
        .selectFrom("watch")
        .selectAll()
        .where("watch_id", "=", watchId)
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return row && { watch: await show(row), definition: definitionOf(row) };
    },
    async create(start) {
      if (!(await takePlace(db, accountId, ownMax))) return "too many";
      const now = clock.now();
      const row = newRow(start, sortableId(WATCH_PREFIX, now, parts.randomBytes), accountId, now);
      await db.insertInto("watch").values(row).execute();
      await storeReads(db, row.watch_id, start.datasets);
      return show(row);
    },
    async update(watchId, start, goesOn) {
      const row = await lockWatch(db, watchId, accountId);
      if (!row) return undefined;
      const isDisabled = row.state === "disabled";
      if (isDisabled) await checkActive(db, accountId, ownMax);
      await db.deleteFrom("watch_read").where("watch_id", "=", watchId).execute();
      await storeReads(db, watchId, start.datasets);
      const updated = await db
        .updateTable("watch")
        .set({
          definition: JSON.stringify(start.definition),
          ...(isDisabled && {
            ...withoutFailureColumns(row),
            state: "active",
            state_reason: null,
          }),
          // The watch is marked as behind, because the evaluation of a change may have begun before this update. Its
          // outcome is not stored.
          behind_from: row.behind_from ?? (await nextPosition(db, row)),
          ...(!goesOn && startColumns(start)),
          revision: sql<number>`revision + 1`,
          updated_at: clock.now(),
        })
        .where("watch_id", "=", watchId)
        .returningAll()
        .executeTakeFirstOrThrow();
      return show(updated);
    },
    async setState(watchId, target) {
      const row = await lockWatch(db, watchId, accountId);
      if (!row) return undefined;
      const state = stateColumn(target);
      // A disabled watch stays disabled when it is paused.
      if (row.state === state || (row.state === "disabled" && state === "paused")) return show(row);
      if (state === "active") await checkActive(db, accountId, ownMax);
      const changed = await db
        .updateTable("watch")
        .set({
          state,
          state_reason: null,
          ...(row.state === "disabled" && withoutFailureColumns(row)),
          behind_from: row.behind_from ?? (await nextPosition(db, row)),
          revision: sql<number>`revision + 1`,
          updated_at: clock.now(),
        })
        .where("watch_id", "=", watchId)
        .returningAll()
        .executeTakeFirstOrThrow();
      return show(changed);
    },
    async rotateFeed(watchId) {
      const row = await raiseFeedRevision(db, watchId, accountId);
      return row && show(row);
    },
    async remove(watchId) {
      const row = await lockWatch(db, watchId, accountId);
      if (!row) return false;
      await db.deleteFrom("watch_read").where("watch_id", "=", watchId).execute();
      await db.deleteFrom("watch").where("watch_id", "=", watchId).execute();
      await dropRecipients(mailsIn(call.db), watchId);
      await db
        .updateTable("watch_account")
        .set({ watch_count: sql<number>`watch_count - 1` })
        .where("account_id", "=", accountId)
        .execute();
      return true;
    },
  };
}

/** Returns the maximum number of watches of the caller's account. */
function watchesOf(byPlan: WatchesByPlan, principal: Principal | undefined): number {
  const isOperators = principal?.accountId === OPERATOR_ACCOUNT;
  return isOperators ? byPlan.enterprise : byPlan[principal?.plan ?? "free"];
}

/**
 * Counts one more watch, and locks the account until the transaction ends. Returns false if the account then exceeds
 * its maximum. In this case, the call must fail, which undoes the count.
 */
async function takePlace(db: WatchDatabase, accountId: string, max: number): Promise<boolean> {
  const { watch_count } = await db
    .insertInto("watch_account")
    .values({ account_id: accountId, watch_count: 1, position: 0, oldest_position: 1 })
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet({ watch_count: sql<number>`watch_account.watch_count + 1` }),
    )
    .returning("watch_count")
    .executeTakeFirstOrThrow();
  return watch_count <= max;
}

/**
 * Throws the failure `limitReached` if the account already has as many active watches as its plan permits. This can
 * happen after a change to a plan that permits fewer watches.
 */
async function checkActive(db: WatchDatabase, accountId: string, max: number): Promise<void> {
  const { active } = await db
    .selectFrom("watch")
    .select(({ fn }) => fn.countAll<number | string>().as("active"))
    .where("account_id", "=", accountId)
    .where("state", "=", "active")
    .executeTakeFirstOrThrow();
  // PostgreSQL returns counts as text.
  if (Number(active) >= max) throw activeLimitReached(max);
}

function newRow(start: WatchStart, watchId: string, accountId: string, now: number): WatchRow {
  return {
    watch_id: watchId,
    account_id: accountId,
    definition: JSON.stringify(start.definition),
    state: "active",
    state_reason: null,
    ...startColumns(start),
    revision: 1,
    feed_revision: 1,
    firing_count: 0,
    last_fired_at: null,
    created_at: now,
    updated_at: now,
  };
}

function startColumns({ memory }: WatchStart) {
  return {
    memory: JSON.stringify(memory),
    evaluated_position: memory.evaluatedPosition,
    due_at: memory.quietUntil,
    failure_count: 0,
    // The watch is marked as behind, because the evaluation of the next change may start before this transaction ends,
    // and would then miss the watch.
    behind_from: memory.evaluatedPosition + 1,
  };
}

async function storeReads(db: WatchDatabase, watchId: string, datasets: readonly string[]): Promise<void> {
  if (datasets.length === 0) return;
  await db
    .insertInto("watch_read")
    .values(datasets.map((dataset) => ({ dataset, watch_id: watchId })))
    .execute();
}

/** Locks a watch until the transaction ends. Undefined if the account has no watch with this id. */
async function lockWatch(db: WatchDatabase, watchId: string, accountId: string): Promise<WatchRow | undefined> {
  return db
    .updateTable("watch")
    .set({ watch_id: watchId })
    .where("watch_id", "=", watchId)
    .where("account_id", "=", accountId)
    .returningAll()
    .executeTakeFirst();
}

function withoutFailureColumns(row: WatchRow) {
  return { memory: JSON.stringify(withoutFailures(memoryOf(row))), failure_count: 0 };
}

/** For a watch that is not behind, returns the first position in the log of datasets that it has yet to evaluate. */
async function nextPosition(db: WatchDatabase, row: WatchRow): Promise<number> {
  // A disabled watch was last evaluated at its own position. Every other watch that is not behind was evaluated up to
  // the position in `watch_progress`.
  return (row.state === "disabled" ? row.evaluated_position : await progressOf(db)) + 1;
}
