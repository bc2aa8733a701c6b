import { type Kysely, type Migration, type SqlBool, sql } from "kysely";

/** Creates the tables of emails. A released migration never changes. */
export const mailMigration: Migration = { up: createTables };

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("watch_email")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("state_reason", "text")
    .addColumn("state_changed_at", "bigint", (column) => column.notNull())
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("asked_at", "bigint", (column) => column.notNull())
    .addColumn("position", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("watch_email_primary", ["account_id", "address"])
    .execute();
  // Every second, a job reads the confirmed addresses to look for new firings. Most accounts have no confirmed address,
  // so an index of only the confirmed addresses is small.
  await db.schema
    .createIndex("watch_email_confirmed")
    .on("watch_email")
    .columns(["account_id", "address"])
    .where(sql<SqlBool>`state = 'confirmed'`)
    .execute();
  await db.schema
    .createTable("watch_email_slot")
    .addColumn("address", "text", (column) => column.primaryKey())
    .addColumn("asked_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("watch_email_account")
    .addColumn("account_id", "text", (column) => column.primaryKey())
    .addColumn("day", "bigint", (column) => column.notNull())
    .addColumn("asked_count", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("watch_recipient")
    .addColumn("watch_id", "text", (column) => column.notNull())
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("stop_hash", "text", (column) => column.notNull().unique())
    .addColumn("stopped_at", "bigint")
    .addPrimaryKeyConstraint("watch_recipient_primary", ["watch_id", "address"])
    .execute();
  await db.schema
    .createIndex("watch_recipient_by_address")
    .on("watch_recipient")
    .columns(["account_id", "address"])
    .execute();
  await createQueue(db);
}

async function createQueue(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("watch_mail")
    .addColumn("mail_id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("address", "text", (column) => column.notNull())
    .addColumn("watch_id", "text")
    .addColumn("position", "bigint")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("due_at", "bigint")
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("attempt_count", "integer", (column) => column.notNull())
    .addColumn("last_error", "text")
    .addColumn("lease", "text")
    .addColumn("leased_until", "bigint")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("ended_at", "bigint")
    .addUniqueConstraint("watch_mail_firing", ["account_id", "address", "position"])
    .execute();
  const isPending = sql<SqlBool>`state = 'pending'`;
  const indexes = [
    ["watch_mail_due", ["due_at", "mail_id"], isPending],
    ["watch_mail_expiring", ["expires_at"], isPending],
    ["watch_mail_waiting", ["account_id", "address", "position"], isPending],
    ["watch_mail_ended", ["state", "ended_at"], sql<SqlBool>`state <> 'pending'`],
  ] as const;
  for (const [name, columns, where] of indexes) {
    await db.schema
      .createIndex(name)
      .on("watch_mail")
      .columns([...columns])
      .where(where)
      .execute();
  }
}

/** Adds the time at which a watch stopped naming an address. */
export const droppedRecipientsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("watch_recipient").addColumn("dropped_at", "bigint").execute();
  },
};

/** Adds the time since which no watch names an address. */
export const unusedAddressesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("watch_email").addColumn("unused_since", "bigint").execute();
  },
};
