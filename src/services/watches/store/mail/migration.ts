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

/** Creates the table of the addresses that watches no longer name. */
export const formerRecipientsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("watch_former_recipient")
      .addColumn("watch_id", "text", (column) => column.notNull())
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("account_id", "text", (column) => column.notNull())
      .addColumn("stop_hash", "text", (column) => column.notNull().unique())
      .addPrimaryKeyConstraint("watch_former_recipient_primary", ["watch_id", "address"])
      .execute();
    await addStoppedFormer(db);
  },
};

/** Adds the stopped addresses that their watch no longer names. The store has kept them as recipients. */
async function addStoppedFormer(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ readonly watch_id: string; readonly address: string; readonly definition: string }>`
    select recipient.watch_id, recipient.address, watch.definition
    from watch_recipient recipient join watch on watch.watch_id = recipient.watch_id
    where recipient.stopped_at is not null`.execute(db);
  for (const { watch_id, address, definition } of rows) {
    const { emails = [] }: { readonly emails?: readonly string[] } = JSON.parse(definition);
    if (emails.includes(address)) continue;
    await sql`
      insert into watch_former_recipient (watch_id, address, account_id, stop_hash)
      select watch_id, address, account_id, stop_hash from watch_recipient
      where watch_id = ${watch_id} and address = ${address}`.execute(db);
  }
}

/** Adds the time since which no watch names an address. */
export const unusedAddressesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("watch_email").addColumn("unused_since", "bigint").execute();
  },
};
