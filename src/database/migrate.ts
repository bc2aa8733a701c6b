import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type Kysely, type Migration, type MigrationProvider, Migrator, sql } from "kysely";
import { OperatorError } from "../kit/operator-error.js";
import { migrationProvider } from "./migrations.js";
import type { Dialect, OpenDatabase } from "./open-database.js";
import type { Database } from "./schema.js";
import type { RegisteredStore } from "./service-store.js";
import { isConflict } from "./transaction.js";

/** Migrates the tables of the store itself. */
export async function migrateOwn(opened: OpenDatabase): Promise<void> {
  await migrate(opened, migrationProvider(opened.dialect));
}

/**
 * Creates and migrates the tables of services. Each service has its own record of migrations, so that a command that
 * needs no service can open the store without the services' migrations.
 */
export async function migrateServices(opened: OpenDatabase, stores: readonly RegisteredStore[]): Promise<void> {
  for (const { service, store } of stores) {
    const getMigrations = async () => ({ ...store.migrations(opened.dialect) });
    await migrate(opened, { getMigrations }, migrationTableOf(service));
  }
}

/** Names of migrations in their order, by the table that records them. */
export type AppliedMigrations = Readonly<Record<string, readonly string[]>>;

/** The difference between a store and this version. Each migration is named as `<table> <migration>`. */
export interface MigrationState {
  /** Migrations that have not been applied yet, in order. */
  readonly pending: readonly string[];
  /** Applied migrations that this version does not have. */
  readonly unknown: readonly string[];
}

/** Compares the migrations of a store with those of this version. Read-only. */
export async function migrationState(
  { db, dialect }: Pick<OpenDatabase, "db" | "dialect">,
  stores: readonly RegisteredStore[],
): Promise<MigrationState> {
  const ownMigrations = await allMigrations(dialect, stores);
  const applied = await appliedIn(db);
  const pending = [...ownMigrations].flatMap(([table, migrations]) => {
    const done = new Set(applied[table]);
    return Object.keys(migrations).flatMap((name) => (done.has(name) ? [] : [`${table} ${name}`]));
  });
  return { pending, unknown: await unknownMigrations(dialect, stores, applied) };
}

/** Reads the migrations that are recorded in a store. */
async function appliedIn(db: Kysely<Database>): Promise<AppliedMigrations> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const applied: Record<string, readonly string[]> = {};
  for (const { name } of tables) if (isMigrationTable(name)) applied[name] = await namesIn(db, name);
  return applied;
}

async function namesIn(db: Kysely<Database>, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Lists this version's migrations, by the table that records them. The table of the store itself comes first. */
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

/** Lists the recorded migrations that this version does not have, as `<table> <migration>`. */
export async function unknownMigrations(
  dialect: Dialect,
  stores: readonly RegisteredStore[],
  applied: AppliedMigrations,
): Promise<readonly string[]> {
  const ownMigrations = await allMigrations(dialect, stores);
  return Object.entries(applied).flatMap(([table, names]) =>
    names.filter((name) => !Object.hasOwn(ownMigrations.get(table) ?? {}, name)).map((name) => `${table} ${name}`),
  );
}

/**
 * Creates the tables of an empty store, as they are after the migrations in `applied`, in the caller's transaction.
 * Leaves the tables that record migrations empty. Skips migrations that this version does not have, so callers must
 * first refuse a store with such migrations.
 */
export async function createTables(
  { db, dialect }: Pick<OpenDatabase, "db" | "dialect">,
  stores: readonly RegisteredStore[],
  applied: AppliedMigrations,
): Promise<void> {
  const ownMigrations = await allMigrations(dialect, stores);
  for (const [table, migrations] of ownMigrations) {
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

/** The table that records a service's migrations. */
export function migrationTableOf(service: string): string {
  return `migration_${service.replaceAll("-", "_")}`;
}

/** Thrown for a store that a newer version of Vigil has migrated. */
export class NewerStore extends OperatorError {
  override readonly name = "NewerStore";

  constructor(unknown: string) {
    super(
      `a newer version of Vigil has changed this store (${unknown}); start that version or a newer one, or restore a backup made by this version`,
    );
  }
}

/** Thrown for a store that this version must not migrate automatically. */
export class MigrationPending extends OperatorError {
  override readonly name = "MigrationPending";

  constructor(pending: string) {
    super(
      `the store needs the changes of this version (${pending} is the first); run \`vigil migrate\`, or set VIGIL_MIGRATE=on`,
    );
  }
}

async function migrate(
  opened: OpenDatabase,
  provider: MigrationProvider,
  migrationTableName = MIGRATION_TABLE,
): Promise<void> {
  const { db, dialect, mayMigrate = true, patiently = atOnce } = opened;
  const ownNames = Object.keys(await provider.getMigrations());
  if (await isUpToDate(opened, migrationTableName, ownNames)) return;
  if (!mayMigrate) return refuseOther(migrationTableName, ownNames, (await appliedIn(db))[migrationTableName] ?? []);
  // The schema is named explicitly, because Kysely otherwise finds the tables of other schemas.
  const migrationTableSchema = dialect === "postgres" ? await currentSchema(db) : undefined;
  const locking: Locking = { isOn: false };
  const migrator = new Migrator({
    db,
    provider: dialect === "postgres" ? lockingFirst(provider, locking) : provider,
    ...(migrationTableSchema !== undefined && { migrationTableSchema }),
    ...(migrationTableName !== MIGRATION_TABLE && {
      migrationTableName,
      migrationLockTableName: `${migrationTableName}_lock`,
    }),
  });
  const error = await patiently(() => migrated(migrator, locking));
  if (error === undefined) return;
  // If the table of migrations cannot be read, only the error of the migration is reported.
  refuseNewer(migrationTableName, ownNames, await namesIn(db, migrationTableName).catch(() => []));
  const reason = error instanceof Error ? error.message : String(error);
  throw new Error(`the store could not be brought to this version's schema: ${reason}`, { cause: error });
}

/**
 * Maximum number of attempts at migrations that conflict with transactions of a node that still runs an older
 * version.
 */
const ATTEMPTS_MAX = 600;
const PAUSE_MS = 100;
/** PostgreSQL's code for lock_not_available. */
const LOCKED = "55P03";

/**
 * Runs the pending migrations, which are one transaction, and repeats them while they conflict with other
 * transactions. Returns the error of the last attempt, if any.
 */
async function migrated(migrator: Migrator, locking: Locking): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const { error } = await migrator.migrateToLatest();
    const isLocked = (error as { readonly code?: unknown } | undefined)?.code === LOCKED;
    if (error === undefined || attempt >= ATTEMPTS_MAX || !(isLocked || isConflict(error))) return error;
    locking.isOn = true;
    await sleep(PAUSE_MS);
  }
}

interface Locking {
  /** True to lock all tables in one statement before the first change. */
  isOn: boolean;
}

/**
 * Wraps migrations so that, after a conflict with another transaction, they first lock all tables in one statement,
 * without waiting. A migration that holds all locks waits for no other transaction, so it cannot be in a deadlock.
 * Without these locks, every deadlock would end the migration: PostgreSQL ends the transaction that detects the
 * deadlock, and the migration detects it first, because it began to wait first.
 */
function lockingFirst(provider: MigrationProvider, locking: Locking): MigrationProvider {
  return {
    async getMigrations() {
      const migrations = await provider.getMigrations();
      return Object.fromEntries(
        Object.entries(migrations).map(([name, { up }]) => [
          name,
          {
            async up(db) {
              if (locking.isOn) await lockAll(db);
              await up(db);
            },
          } satisfies Migration,
        ]),
      );
    },
  };
}

/**
 * Locks every table except those that record migrations. A node that is starting uses those tables while it waits, so
 * an attempt to lock them without waiting would fail.
 */
async function lockAll(db: Kysely<Database>): Promise<void> {
  const tables = await db.introspection.getTables();
  const names = tables.map(({ name }) => name).filter((name) => !isMigrationTable(name) && !name.endsWith("_lock"));
  if (names.length === 0) return;
  await sql`lock table ${sql.join(names.map((name) => sql.table(name)))} in access exclusive mode nowait`.execute(db);
}

function refuseNewer(table: string, ownNames: readonly string[], applied: readonly string[]): void {
  const unknown = applied.find((name) => !ownNames.includes(name));
  if (unknown !== undefined) throw new NewerStore(`${table} ${unknown}`);
}

/** Refuses a store of any other version: a newer one, or one that this version would have to migrate. */
function refuseOther(table: string, ownNames: readonly string[], applied: readonly string[]): void {
  refuseNewer(table, ownNames, applied);
  const pending = ownNames.find((name) => !applied.includes(name));
  if (pending !== undefined) throw new MigrationPending(`${table} ${pending}`);
}

/**
 * True if exactly these migrations are recorded in the table, as usual when a node starts. The migrator is then
 * skipped, because it would read the definitions of all tables several times before it found nothing to do.
 */
async function isUpToDate(
  { db, dialect }: Pick<OpenDatabase, "db" | "dialect">,
  table: string,
  ownNames: readonly string[],
): Promise<boolean> {
  const { rows } =
    dialect === "sqlite"
      ? await sql`select 1 from sqlite_master where type = 'table' and name = ${table}`.execute(db)
      : await sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${table}`.execute(db);
  return rows.length > 0 && isDeepStrictEqual(await namesIn(db, table), ownNames.toSorted());
}

const atOnce = <T>(work: () => Promise<T>): Promise<T> => work();

async function currentSchema(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ current_schema: string }>`select current_schema()`.execute(db);
  return rows[0]?.current_schema ?? "public";
}
