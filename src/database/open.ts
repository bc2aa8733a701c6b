import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import type BetterSqlite from "better-sqlite3";
import { Kysely, type Migration, type MigrationProvider, Migrator, PostgresDialect, sql } from "kysely";
import { MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { migrationProvider } from "./migrations.js";
import { NODE_SQLITE_FROM, openNodeSqlite, type SqliteConnection } from "./node-sqlite.js";
import type { Dialect, OpenDatabase } from "./open-database.js";
import { limitedPool, type PostgresLimits } from "./postgres-pool.js";
import { tightenFolder } from "./private-folder.js";
import type { Database } from "./schema.js";
import type { RegisteredStore } from "./service-store.js";
import { sqliteDialect, whenUnlocked } from "./sqlite-dialect.js";

/** Location of the store: PostgreSQL if `url` is set, otherwise one SQLite file in `dataDir`. */
export interface DatabaseLocation {
  readonly url?: string | undefined;
  readonly dataDir: string;
  /** Called when PostgreSQL drops an idle connection. */
  readonly onConnectionError?: (error: Error) => void;
  /** Longest wait for a connection to PostgreSQL. Default 5 s. */
  readonly connectMsMax?: number;
  /** Longest wait for the answer of PostgreSQL to one statement. Default 15 s. */
  readonly statementMsMax?: number;
}

const CONNECT_MS_MAX = 5 * SECOND_MS;
const STATEMENT_MS_MAX = 15 * SECOND_MS;
/** Longest wait for one statement of a migration: another node may be migrating, and rows may have to be rewritten. */
const MIGRATION_STATEMENT_MS_MAX = 10 * MINUTE_MS;
/** Longest time that running statements may delay the closing of the store. */
const CLOSE_MS_MAX = 5 * SECOND_MS;

/** Opens the store, and creates and migrates it if necessary. Throws the driver's error if it cannot be opened. */
export async function openDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  const { statementMsMax = STATEMENT_MS_MAX, connectMsMax = CONNECT_MS_MAX } = location;
  const limits = { connectMs: connectMsMax, statementMs: statementMsMax, closeMs: CLOSE_MS_MAX };
  const opened = await open(location, limits);
  try {
    await sql`select 1`.execute(opened.db);
    limits.statementMs = MIGRATION_STATEMENT_MS_MAX;
    await migrate(opened, migrationProvider(opened.dialect));
    limits.statementMs = statementMsMax;
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

/** Opens the store without migrating it. Creates a missing SQLite file. */
export async function openUnmigrated(location: DatabaseLocation): Promise<OpenDatabase> {
  const { statementMsMax = STATEMENT_MS_MAX, connectMsMax = CONNECT_MS_MAX } = location;
  return open(location, { connectMs: connectMsMax, statementMs: statementMsMax, closeMs: CLOSE_MS_MAX });
}

async function open(location: DatabaseLocation, limits: PostgresLimits): Promise<OpenDatabase> {
  return location.url ? await openPostgres(location.url, location, limits) : await openSqlite(location.dataDir);
}

/**
 * Creates and migrates the tables of services. Each service has its own record of migrations, so that a command that
 * needs no service opens the store without them.
 */
export async function migrateServices(opened: OpenDatabase, stores: readonly RegisteredStore[]): Promise<void> {
  for (const { service, store } of stores) {
    const getMigrations = async () => ({ ...store.migrations(opened.dialect) });
    await migrate(opened, { getMigrations }, migrationTableOf(service));
  }
}

/** Names of migrations in their order, by the table that records them. */
export type AppliedMigrations = Readonly<Record<string, readonly string[]>>;

/** The tables that record migrations, that of the store itself first, with their migrations. */
async function allMigrations(
  dialect: Dialect,
  stores: readonly RegisteredStore[],
): Promise<ReadonlyMap<string, Readonly<Record<string, Migration>>>> {
  const own = await migrationProvider(dialect).getMigrations();
  const ofServices = stores.map(
    ({ service, store }) => [migrationTableOf(service), { ...store.migrations(dialect) }] as const,
  );
  return new Map([[MIGRATION_TABLE, own], ...ofServices]);
}

/** Those of the migrations that this version does not have, as `table name`. */
export async function unknownMigrations(
  dialect: Dialect,
  stores: readonly RegisteredStore[],
  applied: AppliedMigrations,
): Promise<readonly string[]> {
  const known = await allMigrations(dialect, stores);
  return Object.entries(applied).flatMap(([table, names]) =>
    names.filter((name) => !Object.hasOwn(known.get(table) ?? {}, name)).map((name) => `${table} ${name}`),
  );
}

/**
 * Creates the tables of an empty store as these migrations left them, in the caller's transaction, with empty tables that
 * record migrations. Throws for a migration that this version does not have.
 */
export async function createTables(
  { db, dialect }: Pick<OpenDatabase, "db" | "dialect">,
  stores: readonly RegisteredStore[],
  applied: AppliedMigrations,
): Promise<void> {
  const known = await allMigrations(dialect, stores);
  for (const [table, migrations] of known) {
    const names = applied[table];
    if (names === undefined) continue;
    await db.schema
      .createTable(table)
      .addColumn("name", "varchar(255)", (column) => column.notNull().primaryKey())
      .addColumn("timestamp", "varchar(255)", (column) => column.notNull())
      .execute();
    for (const [name, migration] of Object.entries(migrations)) if (names.includes(name)) await migration.up(db);
  }
}

/** True for a table that records migrations. */
export function isMigrationTable(name: string): boolean {
  return name === MIGRATION_TABLE || (name.startsWith("migration_") && !name.endsWith("_lock"));
}

/** The table that records the migrations of the store itself. */
const MIGRATION_TABLE = "kysely_migration";

/** The table that records the migrations of a service. */
export function migrationTableOf(service: string): string {
  return `migration_${service.replaceAll("-", "_")}`;
}

async function migrate(
  { db, dialect }: OpenDatabase,
  provider: MigrationProvider,
  migrationTableName?: string,
): Promise<void> {
  // Named explicitly, because Kysely otherwise finds the tables of other schemas.
  const migrationTableSchema = dialect === "postgres" ? await currentSchema(db) : undefined;
  const migrator = new Migrator({
    db,
    provider,
    ...(migrationTableSchema !== undefined && { migrationTableSchema }),
    ...(migrationTableName !== undefined && {
      migrationTableName,
      migrationLockTableName: `${migrationTableName}_lock`,
    }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error("the store could not be brought to this version's schema", { cause: error });
}

async function currentSchema(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ current_schema: string }>`select current_schema()`.execute(db);
  return rows[0]?.current_schema ?? "public";
}

/** File name of the store in the data folder. */
export const SQLITE_FILE = "vigil.db";

async function openSqlite(dataDir: string): Promise<OpenDatabase> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // SQLite gives its additional files the mode of this one.
  closeSync(openSync(join(dataDir, SQLITE_FILE), "a", 0o600));
  await tightenFolder(dataDir);
  const database = await openDriver(join(dataDir, SQLITE_FILE));
  await whenUnlocked(() => database.pragma("journal_mode = WAL"));
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  const db = new Kysely<Database>({ dialect: sqliteDialect(database) });
  return { dialect: "sqlite", db, close: once(() => db.destroy()) };
}

/** Opens a connection that does not wait for locks: SQLite would block the event loop while waiting. */
export async function openDriver(path: string): Promise<SqliteConnection> {
  if (Number.parseInt(process.versions.node, 10) >= NODE_SQLITE_FROM) return openNodeSqlite(path);
  const Sqlite = await loadSqlite();
  return new Sqlite(path, { timeout: 0 });
}

/**
 * Loads the driver. Its native part is built at install time; if it is missing, the error is a sentence instead of a
 * stack.
 */
async function loadSqlite(): Promise<typeof BetterSqlite> {
  try {
    return (await import("better-sqlite3")).default;
  } catch (error) {
    throw new Error(
      "better-sqlite3 could not be loaded: its native part was not built. Run `npm rebuild better-sqlite3` (needs python3, make and a C++ compiler where no prebuilt one can be downloaded), or set DATABASE_URL to use PostgreSQL.",
      { cause: error },
    );
  }
}

const PG_BIGINT_TYPE_ID = 20;
/** Idle time after which TCP probes whether the server is still there. */
const KEEP_ALIVE_AFTER_MS = 10 * SECOND_MS;

async function openPostgres(url: string, location: DatabaseLocation, limits: PostgresLimits): Promise<OpenDatabase> {
  const { default: pg } = await import("pg");
  const types = new pg.TypeOverrides();
  // Instants and counts fit a double; by default pg returns bigint as text.
  types.setTypeParser(PG_BIGINT_TYPE_ID, Number);
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: 8,
    connectionTimeoutMillis: limits.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  });
  pool.on("error", (error) => location.onConnectionError?.(error));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: limitedPool(pool, limits) }) });
  return { dialect: "postgres", db, close: once(() => db.destroy()) };
}

/** A closer that closes once, however often it is called. */
export function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => {
    closing ??= close();
    return closing;
  };
}
