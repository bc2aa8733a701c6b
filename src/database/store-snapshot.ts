import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { once } from "../kit/once.js";
import { BODY_FOLDER, bodyIn } from "./bodies.js";
import type { DatabaseLocation } from "./database-location.js";
import { openDriver, openWhole, SQLITE_FILE } from "./open.js";
import type { Dialect } from "./open-database.js";
import type { Database } from "./schema.js";
import { whenUnlocked } from "./sqlite-dialect.js";

/** A table with the names of its columns. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

/** All tables of a store at one instant. Writers are not blocked, and the store is not migrated. */
export interface StoreSnapshot {
  readonly dialect: Dialect;
  readonly tables: readonly TableShape[];
  /** The last assigned number of each table that numbers its rows. */
  readonly lastNumbers: Readonly<Record<string, number>>;
  count(table: string): Promise<number>;
  /** The rows of a table, in batches. */
  rows(table: TableShape): AsyncIterable<readonly Row[]>;
  /**
   * The stored bytes of a body; undefined if the store has none. With SQLite these are the current bytes, not those of
   * the snapshot.
   */
  body(contentHash: string): Promise<Buffer | undefined>;
  hasBody(contentHash: string): Promise<boolean>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** Number of rows in memory at a time. It is small, because the row of a single generation can take megabytes. */
const ROWS_AT_ONCE = 100;

/** Opens a snapshot of an existing store. Throws the driver's error if the store cannot be read. */
export function openStoreSnapshot(location: DatabaseLocation): Promise<StoreSnapshot> {
  return location.url === undefined ? openSqliteSnapshot(location.dataDir) : openPostgresSnapshot(location);
}

async function openSqliteSnapshot(dataDir: string): Promise<StoreSnapshot> {
  // This is a separate connection, because Kysely's connection would take the write lock for a transaction.
  const connection = await openDriver(join(dataDir, SQLITE_FILE));
  const all = (text: string, ...values: readonly unknown[]): readonly Row[] =>
    connection.prepare(text).all(values) as readonly Row[];
  try {
    connection.prepare("begin").run([]);
    // The first read begins the snapshot.
    const names = await whenUnlocked(() =>
      all(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
      ),
    );
    const tables = names.map(({ name }) => {
      const columns = all("select name from pragma_table_info(?) order by cid", name);
      return { name: String(name), columns: columns.map((column) => String(column["name"])) };
    });
    const isNumbering = all("select name from sqlite_master where name = 'sqlite_sequence'").length > 0;
    const numbers = isNumbering ? all("select name, seq from sqlite_sequence") : [];
    return {
      dialect: "sqlite",
      tables,
      lastNumbers: Object.fromEntries(numbers.map(({ name, seq }) => [String(name), Number(seq)])),
      count: async (table) => Number(all(`select count(*) as rows from ${quoted(table)}`)[0]?.["rows"]),
      async *rows({ name, columns }) {
        const statement = connection.prepare(`select ${columns.map(quoted).join(", ")} from ${quoted(name)}`);
        let rows: Row[] = [];
        for (const row of statement.iterate([])) {
          rows.push(row as Row);
          if (rows.length < ROWS_AT_ONCE) continue;
          yield rows;
          rows = [];
        }
        if (rows.length > 0) yield rows;
      },
      body: (contentHash) => bodyIn(join(dataDir, BODY_FOLDER), contentHash),
      hasBody: async (contentHash) => existsSync(join(dataDir, BODY_FOLDER, contentHash)),
      close: once(async () => connection.close()),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

async function openPostgresSnapshot(location: DatabaseLocation): Promise<StoreSnapshot> {
  const database = await openWhole(location, "any");
  try {
    const transaction = await database.db
      .startTransaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute();
    const tables = await postgresTables(transaction);
    const lastNumbers = await postgresNumbers(transaction);
    return {
      dialect: "postgres",
      tables,
      lastNumbers,
      async count(table) {
        const counted = sql<{ rows: string }>`select count(*) as rows from ${sql.table(table)}`;
        return Number((await counted.execute(transaction)).rows[0]?.rows);
      },
      rows: (table) => rowsIn(transaction, "postgres", table),
      async body(contentHash) {
        const row = transaction.selectFrom("body").select("bytes").where("content_hash", "=", contentHash);
        return (await row.executeTakeFirst())?.bytes;
      },
      async hasBody(contentHash) {
        const row = transaction.selectFrom("body").select("stored_at").where("content_hash", "=", contentHash);
        return (await row.executeTakeFirst()) !== undefined;
      },
      close: once(async () => {
        // The transaction only reads, so there is nothing to commit.
        await transaction.rollback().execute();
        await database.close();
      }),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The rows of a table in a transaction, in batches. */
export async function* rowsIn(
  transaction: Kysely<Database>,
  dialect: Dialect,
  { name, columns }: TableShape,
): AsyncGenerator<readonly Row[], void> {
  const query = sql<Row>`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)}`;
  if (dialect === "sqlite") {
    for await (const row of transaction.getExecutor().stream<Row>(query.compile(transaction), ROWS_AT_ONCE))
      yield row.rows;
    return;
  }
  await sql`declare stored_rows no scroll cursor for ${query}`.execute(transaction);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(ROWS_AT_ONCE)} from stored_rows`.execute(transaction);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close stored_rows`.execute(transaction);
}

async function postgresTables(db: Kysely<Database>): Promise<readonly TableShape[]> {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    select c.table_name, c.column_name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
    order by c.table_name collate "C", c.ordinal_position`.execute(db);
  const columns = new Map<string, string[]>();
  for (const { table_name: table, column_name: column } of rows) {
    columns.set(table, [...(columns.get(table) ?? []), column]);
  }
  return [...columns].map(([name, own]) => ({ name, columns: own }));
}

async function postgresNumbers(db: Kysely<Database>): Promise<Readonly<Record<string, number>>> {
  const { rows } = await sql<{ table: string; last: number }>`
    select t.relname as table, s.last_value as last
    from pg_sequences s
    join pg_class q on q.relname = s.sequencename and q.relnamespace = current_schema()::regnamespace
    join pg_depend d on d.objid = q.oid and d.deptype = 'a'
    join pg_class t on t.oid = d.refobjid
    where s.schemaname = current_schema() and s.last_value is not null`.execute(db);
  return Object.fromEntries(rows.map(({ table, last }) => [table, last]));
}
