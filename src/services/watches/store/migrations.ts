import { type Kysely, type Migration, type SqlBool, sql } from "kysely";
import { formerRecipientsMigration, mailMigration, unusedAddressesMigration } from "./mail/migration.js";

/**
 * The migrations in the order of their names, the same on SQLite and PostgreSQL. A released migration never changes.
 */
export const watchMigrations: Readonly<Record<string, Migration>> = {
  "001-watches": { up: createTables },
  "002-mail": mailMigration,
  "003-former-recipients": formerRecipientsMigration,
  "004-unused-addresses": unusedAddressesMigration,
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await createWatches(db);
  await createFirings(db);
}

async function createWatches(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("watch")
    .addColumn("watch_id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("definition", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("state_reason", "text")
    .addColumn("memory", "text", (column) => column.notNull())
    .addColumn("revision", "bigint", (column) => column.notNull())
    .addColumn("evaluated_position", "bigint", (column) => column.notNull())
    .addColumn("due_at", "bigint")
    .addColumn("behind_from", "bigint")
    .addColumn("failure_count", "integer", (column) => column.notNull())
    .addColumn("feed_revision", "integer", (column) => column.notNull())
    .addColumn("firing_count", "bigint", (column) => column.notNull())
    .addColumn("last_fired_at", "bigint")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("watch_by_account").on("watch").columns(["account_id", "watch_id"]).execute();
  // Every second, the evaluation looks for watches that are behind, and for those whose quiet period has ended. Most
  // watches are neither behind nor in a quiet period, so these indexes are partial.
  await db.schema
    .createIndex("watch_behind")
    .on("watch")
    .columns(["account_id", "behind_from", "watch_id"])
    .where(sql<SqlBool>`state = 'active' and behind_from is not null`)
    .execute();
  await db.schema
    .createIndex("watch_due")
    .on("watch")
    .columns(["due_at", "watch_id"])
    .where(sql<SqlBool>`state = 'active' and due_at is not null`)
    .execute();
  // The counts in the health report use these indexes.
  for (const state of ["paused", "disabled"]) {
    await db.schema
      .createIndex(`watch_${state}`)
      .on("watch")
      .column("watch_id")
      .where(sql<SqlBool>`state = ${sql.lit(state)}`)
      .execute();
  }
  await db.schema
    .createIndex("watch_failing")
    .on("watch")
    .column("watch_id")
    .where(sql<SqlBool>`failure_count > 0`)
    .execute();
  await db.schema
    .createTable("watch_read")
    .addColumn("dataset", "text", (column) => column.notNull())
    .addColumn("watch_id", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("watch_read_primary", ["dataset", "watch_id"])
    .execute();
  await db.schema.createIndex("watch_read_by_watch").on("watch_read").column("watch_id").execute();
  await db.schema
    .createTable("watch_progress")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("position", "bigint", (column) => column.notNull())
    .execute();
  await sql`insert into watch_progress (name, position) values ('datasets', 0)`.execute(db);
}

async function createFirings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("watch_account")
    .addColumn("account_id", "text", (column) => column.primaryKey())
    .addColumn("watch_count", "integer", (column) => column.notNull())
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("oldest_position", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("watch_firing")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("firing_id", "text", (column) => column.notNull())
    .addColumn("watch_id", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("stored_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("watch_firing_primary", ["account_id", "position"])
    .execute();
  await db.schema.createIndex("watch_firing_of_watch").on("watch_firing").columns(["watch_id", "position"]).execute();
}
