import type { WatchDatabase } from "./tables.js";

/** Reads the position in the log of datasets up to which every watch was evaluated or postponed. */
export async function progressOf(db: WatchDatabase): Promise<number> {
  const { position } = await db.selectFrom("watch_progress").select("position").executeTakeFirstOrThrow();
  return position;
}

export async function storeProgress(db: WatchDatabase, position: number): Promise<void> {
  await db.updateTable("watch_progress").set({ position }).where("position", "<", position).execute();
}
