import { type Kysely, sql } from "kysely";
import type { Dialect, OpenDatabase } from "./open-database.js";
import type { Database } from "./schema.js";
import type { TableShape } from "./store-snapshot.js";

/** Fills the tables of a new store, in the caller's transaction. */
export interface StoreLoader {
  /** The tables in an order in which their rows can be inserted. */
  readonly tables: readonly TableShape[];
  insert(table: TableShape, rows: readonly (readonly unknown[])[]): Promise<void>;
  /** Continues the numbering of a table after this number. */
  continueAfter(table: string, last: number): Promise<void>;
}

/** Maximum number of values in one statement. SQLite and PostgreSQL both allow more. */
const VALUES_MAX = 10_000;

/** Removes the rows that migrations have inserted, and opens the loader. */
export async function openLoader(
  { db, dialect }: Pick<OpenDatabase, "db" | "dialect">,
  tables: readonly TableShape[],
): Promise<StoreLoader> {
  const references = dialect === "postgres" ? await referencesIn(db) : new Map<string, Set<string>>();
  // Makes SQLite check references only at the end of the transaction, so only PostgreSQL needs an order of tables.
  if (dialect === "sqlite") await sql`pragma defer_foreign_keys = on`.execute(db);
  const ordered = inOrder(tables, references);
  for (const { name } of ordered.toReversed()) await sql`delete from ${sql.table(name)}`.execute(db);
  return {
    tables: ordered,
    async insert({ name, columns }, rows) {
      const rowsAtOnce = Math.max(1, Math.floor(VALUES_MAX / columns.length));
      for (let from = 0; from < rows.length; from += rowsAtOnce) {
        const values = rows.slice(from, from + rowsAtOnce).map((row) => sql`(${sql.join(row)})`);
        const names = sql.join(columns.map((column) => sql.ref(column)));
        await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(db);
      }
    },
    continueAfter: (table, last) => continueAfter(db, dialect, table, last),
  };
}

async function continueAfter(db: Kysely<Database>, dialect: Dialect, table: string, last: number): Promise<void> {
  if (last === 0) return;
  if (dialect === "postgres") {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(db);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(db);
}

/** For each table, the other tables that its rows refer to. */
async function referencesIn(db: Kysely<Database>): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await sql<{ from: string; to: string }>`
    select f.relname as from, t.relname as to from pg_constraint c
    join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and f.relnamespace = current_schema()::regnamespace and f.oid <> t.oid`.execute(db);
  const references = new Map<string, Set<string>>();
  for (const { from, to } of rows) references.set(from, new Set([...(references.get(from) ?? []), to]));
  return references;
}

/** The tables, ordered so that each table comes after the tables that it refers to. */
function inOrder(
  tables: readonly TableShape[],
  references: ReadonlyMap<string, ReadonlySet<string>>,
): readonly TableShape[] {
  const ordered = new Set<TableShape>();
  const place = (table: TableShape): void => {
    for (const other of tables) if (references.get(table.name)?.has(other.name) && !ordered.has(other)) place(other);
    ordered.add(table);
  };
  tables.forEach(place);
  return [...ordered];
}
