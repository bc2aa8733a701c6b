import { sql } from "kysely";
import type { DatasetStanding } from "../../../contract/snapshot.js";
import { type LoggedState, movedDatasets } from "../rules/moved-datasets.js";
import { loggedStates } from "./change-log.js";
import type { DatasetDatabase } from "./tables.js";

/**
 * Appends a change for each dataset whose standing differs from its newest logged state. Runs in the caller's
 * transaction. Returns the resulting logged states.
 */
export async function appendChanges(
  db: DatasetDatabase,
  standings: readonly DatasetStanding[],
  now: number,
): Promise<ReadonlyMap<string, LoggedState>> {
  const logged = await loggedStates(db);
  const moved = movedDatasets(logged, standings);
  if (moved.length === 0) return logged;
  const first = await nextPositions(db, moved.length);
  const rows = moved.map((state, at) => ({
    position: first + at,
    dataset: state.dataset,
    state: state.state,
    previous_state: logged.get(state.dataset)?.state ?? null,
    generation: state.generation,
    content_hash: state.contentHash,
    newest_at: state.newestAt,
    changed_at: now,
    next_position: null,
  }));
  for (const { dataset, position, previous_state } of rows) {
    if (previous_state === null) continue;
    await db
      .updateTable("dataset_change")
      .set({ next_position: position })
      .where("dataset", "=", dataset)
      .where("next_position", "is", null)
      .execute();
  }
  await db.insertInto("dataset_change").values(rows).execute();
  return new Map([...logged, ...moved.map((state) => [state.dataset, state] as const)]);
}

/** Reserves `count` consecutive positions and returns the first. Locks the log until the transaction ends. */
async function nextPositions(db: DatasetDatabase, count: number): Promise<number> {
  const { position } = await db
    .updateTable("dataset_log")
    .set({ position: sql<number>`position + ${count}` })
    .returning("position")
    .executeTakeFirstOrThrow();
  return position - count + 1;
}
