import type { WatchDatabase } from "./tables.js";

/** Reads a position in the log of datasets. Up to this position, every watch was evaluated or postponed. */
export async function progressOf(db: WatchDatabase): Promise<number> {
  const { position } = await db.selectFrom("watch_progress").select("position").executeTakeFirstOrThrow();
  return position;
}

export async function storeProgress(db: WatchDatabase, position: number): Promise<void> {
  await db.updateTable("watch_progress").set({ position }).where("position", "<", position).execute();
}
