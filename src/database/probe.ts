import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { type DatabaseLocation, migrationTableOf, openUnmigrated, SQLITE_FILE } from "./open.js";
import type { RegisteredStore } from "./service-store.js";

/** The figures of one service's tables by name. */
export interface FiguresOfService {
  readonly service: string;
  readonly figures: Readonly<Record<string, number>>;
}

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

/** The figures of all services that have tables in an existing store. Read-only. Throws the driver's error. */
export async function storeFiguresAt(
  location: DatabaseLocation,
  stores: readonly RegisteredStore[],
): Promise<readonly FiguresOfService[]> {
  const database = await openUnmigrated(location);
  try {
    const tables = new Set((await database.db.introspection.getTables()).map(({ name }) => name));
    const all: FiguresOfService[] = [];
    for (const { service, store } of stores) {
      if (!store.figures || !tables.has(migrationTableOf(service))) continue;
      all.push({ service, figures: await store.figures({ database }) });
    }
    return all;
  } finally {
    await database.close();
  }
}
