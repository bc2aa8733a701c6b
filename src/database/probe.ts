import { existsSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { systemClock } from "../kit/clock.js";
import type { DatabaseLocation } from "./database-location.js";
import { migrationTableOf } from "./migrate.js";
import { openUnmigrated, SQLITE_FILE } from "./open.js";
import type { OpenDatabase } from "./open-database.js";
import type { RegisteredStore } from "./service-store.js";

/** The figures of one service's tables by name. */
export interface FiguresOfService {
  readonly service: string;
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * Reads the kind of the store; undefined if there is no store yet. Changes no data. Throws the driver's error if the
 * store cannot be opened.
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

/**
 * Reads the figures of the services from an existing store. Skips a service whose tables lack a migration of this
 * version. Changes no data. Throws the driver's error if the store cannot be read.
 */
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
      if (!(await isMigrated(database, { service, store }))) continue;
      all.push({ service, figures: await store.figures({ database, clock: systemClock }) });
    }
    return all;
  } finally {
    await database.close();
  }
}

/** Returns false if the tables of the service lack a migration of this version. */
async function isMigrated({ db, dialect }: OpenDatabase, { service, store }: RegisteredStore): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(migrationTableOf(service))}`.execute(db);
  const applied = new Set(rows.map(({ name }) => name));
  return Object.keys(store.migrations(dialect)).every((name) => applied.has(name));
}
