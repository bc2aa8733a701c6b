import { type Kysely, type Migration, type SqlBool, sql } from "kysely";

/**
 * The migrations in the order of their names, the same on SQLite and PostgreSQL. A released migration never changes.
 */
export const webhookMigrations: Readonly<Record<string, Migration>> = {
  "001-webhooks": { up: createTables },
  "002-lapsed-plans": { up: addLapses },
  "003-requested-waits": { up: addRequestedWaits },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await createEndpoints(db);
  await createDeliveries(db);
}

async function createEndpoints(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("webhook_account")
    .addColumn("account_id", "text", (column) => column.primaryKey())
    .addColumn("endpoint_count", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("webhook_endpoint")
    .addColumn("endpoint_id", "text", (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("description", "text")
    .addColumn("ordering", "text", (column) => column.notNull())
    .addColumn("filters", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("state_reason", "text")
    .addColumn("state_changed_at", "bigint", (column) => column.notNull())
    .addColumn("pending_count", "integer", (column) => column.notNull())
    .addColumn("failure_count", "integer", (column) => column.notNull())
    .addColumn("rests_until", "bigint", (column) => column.notNull())
    .addColumn("last_delivered_at", "bigint")
    .addColumn("last_failed_at", "bigint")
    .addColumn("last_error", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("webhook_endpoint_by_account")
    .on("webhook_endpoint")
    .columns(["account_id", "endpoint_id"])
    .execute();
  // Every second, a round looks for active endpoints with pending deliveries. Most endpoints have no pending
  // deliveries, so the index is partial.
  await db.schema
    .createIndex("webhook_endpoint_waiting")
    .on("webhook_endpoint")
    .column("endpoint_id")
    .where(sql<SqlBool>`state = 'active' and pending_count > 0`)
    .execute();
  await db.schema
    .createTable("webhook_subscription")
    .addColumn("endpoint_id", "text", (column) => column.notNull())
    .addColumn("event", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("skipped_count", "bigint", (column) => column.notNull())
    .addColumn("skipped_at", "bigint")
    .addPrimaryKeyConstraint("webhook_subscription_primary", ["endpoint_id", "event"])
    .execute();
  await db.schema
    .createIndex("webhook_subscription_by_event")
    .on("webhook_subscription")
    .columns(["event", "endpoint_id"])
    .execute();
  await db.schema
    .createTable("webhook_secret")
    .addColumn("endpoint_id", "text", (column) => column.notNull())
    .addColumn("secret_id", "text", (column) => column.notNull())
    .addColumn("secret", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("ends_at", "bigint")
    .addPrimaryKeyConstraint("webhook_secret_primary", ["endpoint_id", "secret_id"])
    .execute();
}

async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("webhook_delivery")
    .addColumn("delivery_id", "text", (column) => column.primaryKey())
    .addColumn("endpoint_id", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("event", "text", (column) => column.notNull())
    .addColumn("position", "bigint")
    .addColumn("subject", "text")
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("due_at", "bigint")
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("attempt_count", "integer", (column) => column.notNull())
    .addColumn("attempts", "text", (column) => column.notNull())
    .addColumn("lease", "text")
    .addColumn("leased_until", "bigint")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("ended_at", "bigint")
    .addUniqueConstraint("webhook_delivery_change", ["endpoint_id", "event", "position"])
    .execute();
  const isPending = sql<SqlBool>`state = 'pending'`;
  const indexes = [
    ["webhook_delivery_due", ["endpoint_id", "due_at", "delivery_id"], isPending],
    ["webhook_delivery_expiring", ["endpoint_id", "expires_at"], isPending],
    ["webhook_delivery_waiting", ["endpoint_id", "event", "subject", "position"], isPending],
    ["webhook_delivery_of_endpoint", ["endpoint_id", "state", "delivery_id"], undefined],
    ["webhook_delivery_of_account", ["account_id", "state", "delivery_id"], undefined],
    ["webhook_delivery_ended", ["state", "ended_at"], sql<SqlBool>`state <> 'pending'`],
  ] as const;
  for (const [name, columns, where] of indexes) {
    const index = db.schema
      .createIndex(name)
      .on("webhook_delivery")
      .columns([...columns]);
    await (where === undefined ? index : index.where(where)).execute();
  }
}

async function addLapses(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("webhook_endpoint").addColumn("plan_lapsed_at", "bigint").execute();
  // Every minute, a round looks for lapses that have ended. Lapses are rare, so the index is partial.
  await db.schema
    .createIndex("webhook_endpoint_lapsed")
    .on("webhook_endpoint")
    .column("endpoint_id")
    .where(sql<SqlBool>`plan_lapsed_at is not null`)
    .execute();
}

async function addRequestedWaits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("webhook_endpoint")
    .addColumn("requested_until", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
}
