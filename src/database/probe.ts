import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { type DatabaseLocation, openUnmigrated, SQLITE_FILE } from "./open.js";

/**
 * The kind of the store; undefined if there is no store yet. Read-only. Throws the driver's error if the store cannot
 * be opened.
 */
export async function storeKindAt({ url, dataDir }: DatabaseLocation): Promise<string | undefined> {
  if (!url && !existsSync(join(dataDir, SQLITE_FILE))) return undefined;
  const { db, close } = await openUnmigrated({ url, dataDir });
  try {
    await sql`select 1`.execute(db);
    const tables = await db.introspection.getTables();
    if (!tables.some(({ name }) => name === "store_mark")) return undefined;
    const mark = await db.selectFrom("store_mark").select("value").where("name", "=", "kind").executeTakeFirst();
    return mark?.value;
  } finally {
    await close();
  }
}
