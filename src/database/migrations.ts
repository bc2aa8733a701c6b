import type { Kysely, Migration, MigrationProvider } from "kysely";
import type { Dialect } from "./open.js";

/** In order of their names; a released one is never changed. */
const migrations = (dialect: Dialect): Record<string, Migration> => ({
  "001-snapshots": { up: (db) => createSnapshotTables(db, dialect) },
});

export function migrationProvider(dialect: Dialect): MigrationProvider {
  return { getMigrations: async () => migrations(dialect) };
}

async function createSnapshotTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const blob = dialect === "sqlite" ? "blob" : "bytea";
  await db.schema
    .createTable("store_mark")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("snapshot")
    .addColumn("dataset", "text", (column) => column.notNull())
    .addColumn("generation", "bigint", (column) => column.notNull())
    .addColumn("content_hash", "text", (column) => column.notNull())
    .addColumn("body_bytes", "bigint", (column) => column.notNull())
    .addColumn("built_at", "bigint", (column) => column.notNull())
    .addColumn("newest_at", "bigint")
    .addColumn("record_counts", "text", (column) => column.notNull())
    .addColumn("provenance", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("snapshot_primary", ["dataset", "generation"])
    .execute();
  await db.schema
    .createTable("dataset_status")
    .addColumn("dataset", "text", (column) => column.primaryKey())
    .addColumn("attempted_at", "bigint", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("error", "text")
    .addColumn("checked_at", "bigint")
    .addColumn("next_at", "bigint")
    .addColumn("failures_in_row", "integer", (column) => column.notNull())
    .addColumn("parts", "text", (column) => column.notNull())
    .execute();
  await createSourceRunTable(db, dialect);
  await db.schema
    .createTable("lease")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("body")
    .addColumn("content_hash", "text", (column) => column.primaryKey())
    .addColumn("bytes", blob, (column) => column.notNull())
    .addColumn("stored_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("access_key")
    .addColumn("key_hash", "text", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("revoked_at", "bigint")
    .execute();
}

async function createSourceRunTable(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const table = db.schema.createTable("source_run");
  const withId =
    dialect === "sqlite"
      ? table.addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
      : table.addColumn("id", "bigserial", (column) => column.primaryKey());
  await withId
    .addColumn("run_id", "text", (column) => column.notNull())
    .addColumn("dataset", "text", (column) => column.notNull())
    .addColumn("part", "text", (column) => column.notNull())
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("request_key", "text", (column) => column.notNull())
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("fetched_at", "bigint", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("http_status", "integer")
    .addColumn("bytes", "bigint")
    .addColumn("sha256", "text")
    .addColumn("newest_at", "bigint")
    .addColumn("rows_read", "bigint")
    .addColumn("rows_bad", "bigint")
    .addColumn("error", "text")
    .execute();
  await db.schema.createIndex("source_run_by_dataset").on("source_run").columns(["dataset", "fetched_at"]).execute();
}
