import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import type BetterSqlite from "better-sqlite3";
import { Kysely, sql } from "kysely";
import { once } from "../kit/once.js";
import type { DatabaseLocation } from "./database-location.js";
import { migrateOwn } from "./migrate.js";
import { NODE_SQLITE_FROM, openNodeSqlite, type SqliteConnection } from "./node-sqlite.js";
import type { OpenDatabase } from "./open-database.js";
import { openPostgres, type PostgresUse } from "./open-postgres.js";
import { tightenFolder } from "./private-folder.js";
import type { Database } from "./schema.js";
import { sqliteDialect, whenUnlocked } from "./sqlite-dialect.js";

/** Opens the store, and creates and migrates it if necessary. Throws the driver's error if it cannot be opened. */
export async function openDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  const opened = await open(location, { server: "writable", patient: false });
  try {
    await sql`select 1`.execute(opened.db);
    await migrateOwn(opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

/** Opens the store for reading without migrating it; a PostgreSQL standby suffices. Creates a missing SQLite file. */
export async function openUnmigrated(location: DatabaseLocation): Promise<OpenDatabase> {
  return open(location, { server: "any", patient: false });
}

/** Opens the store for reading or filling it as a whole, without migrating it. Creates a missing SQLite file. */
export async function openWhole(location: DatabaseLocation, server: PostgresUse["server"]): Promise<OpenDatabase> {
  return open(location, { server, patient: true });
}

async function open(location: DatabaseLocation, use: PostgresUse): Promise<OpenDatabase> {
  const { url, dataDir, mayMigrate = true } = location;
  const opened = url ? await openPostgres(url, location, use) : await openSqlite(dataDir);
  return { ...opened, mayMigrate };
}

/** File name of the store in the data folder. */
export const SQLITE_FILE = "vigil.db";

async function openSqlite(dataDir: string): Promise<OpenDatabase> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // SQLite creates its additional files with the mode of this file.
  closeSync(openSync(join(dataDir, SQLITE_FILE), "a", 0o600));
  await tightenFolder(dataDir);
  const database = await openDriver(join(dataDir, SQLITE_FILE));
  await whenUnlocked(() => database.pragma("journal_mode = WAL"));
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  const db = new Kysely<Database>({ dialect: sqliteDialect(database) });
  return { dialect: "sqlite", db, close: once(() => db.destroy()) };
}

/** Opens a connection that does not wait for locks, because SQLite would block the event loop while waiting. */
export async function openDriver(path: string): Promise<SqliteConnection> {
  if (Number.parseInt(process.versions.node, 10) >= NODE_SQLITE_FROM) return openNodeSqlite(path);
  const Sqlite = await loadSqlite();
  return new Sqlite(path, { timeout: 0 });
}

/**
 * Loads the driver. Its native part is built at install time; if it is missing, the error is a readable sentence
 * instead of a stack trace.
 */
async function loadSqlite(): Promise<typeof BetterSqlite> {
  try {
    return (await import("better-sqlite3")).default;
  } catch (error) {
    throw new Error(
      "better-sqlite3 could not be loaded: its native part was not built. Run `npm rebuild better-sqlite3` (if no prebuilt part can be downloaded, this needs python3, make and a C++ compiler), or set DATABASE_URL to use PostgreSQL.",
      { cause: error },
    );
  }
}
