import { type Kysely, type Migration, type SqlBool, sql } from "kysely";

/** The migrations in order of name, the same on SQLite and PostgreSQL. A released migration never changes. */
export const datasetMigrations: Readonly<Record<string, Migration>> = {
  "001-log": { up: createLog },
  "002-timeline": { up: indexTimeline },
};

async function createLog(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("dataset_log")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("oldest_position", "bigint", (column) => column.notNull())
    .execute();
  await sql`insert into dataset_log (name, position, oldest_position) values ('datasets', 0, 1)`.execute(db);
  await db.schema
    .createTable("dataset_change")
    .addColumn("position", "bigint", (column) => column.primaryKey())
    .addColumn("dataset", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("previous_state", "text")
    .addColumn("generation", "bigint")
    .addColumn("content_hash", "text")
    .addColumn("newest_at", "bigint")
    .addColumn("changed_at", "bigint", (column) => column.notNull())
    .addColumn("next_position", "bigint")
    .execute();
  await db.schema
    .createIndex("dataset_change_newest")
    .on("dataset_change")
    .column("dataset")
    .unique()
    .where(sql<SqlBool>`next_position is null`)
    .execute();
}

/** Adds the indexes for finding positions by time and entries by dataset. */
async function indexTimeline(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex("dataset_change_by_time").on("dataset_change").column("changed_at").execute();
  await db.schema
    .createIndex("dataset_change_by_dataset")
    .on("dataset_change")
    .columns(["dataset", "position"])
    .execute();
}
