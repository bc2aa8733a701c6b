import { isMigrationTable } from "../database/migrate.js";
import type { StoreSnapshot, TableShape } from "../database/store-snapshot.js";

/**
 * Backups and copies leave out these tables, because leases belong to running processes and bodies are copied
 * separately.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(["body", "lease"]);

/**
 * Lists the tables of a store that are part of a backup or copy. Tables whose names end in `_lock` are left out too,
 * because they contain only the locks of migrations.
 */
export function storedTables({ tables }: Pick<StoreSnapshot, "tables">): readonly TableShape[] {
  return tables.filter(({ name }) => !LEFT_OUT.has(name) && !name.endsWith("_lock"));
}

/** The migrations recorded in a store, by table. */
export async function migrationsIn(snapshot: StoreSnapshot): Promise<Record<string, string[]>> {
  const applied: Record<string, string[]> = {};
  for (const { name } of snapshot.tables.filter((table) => isMigrationTable(table.name))) {
    applied[name] = [...(await columnOf(snapshot, name, "name"))].sort();
  }
  return applied;
}

/** The content hashes of all generations. */
export async function contentHashesIn(snapshot: StoreSnapshot): Promise<readonly string[]> {
  return [...new Set(await columnOf(snapshot, "snapshot", "content_hash"))];
}

export async function columnOf(snapshot: StoreSnapshot, table: string, column: string): Promise<readonly string[]> {
  const values: string[] = [];
  for await (const rows of snapshot.rows({ name: table, columns: [column] })) {
    for (const row of rows) values.push(String(row[column]));
  }
  return values;
}
