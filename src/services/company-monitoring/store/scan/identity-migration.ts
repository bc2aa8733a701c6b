import type { Kysely } from "kysely";

/** Adds a table with the outcome of each company's newest lookup in public registers. */
export async function addIdentity(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("company_identity")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("company_id", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("checked_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("company_identity_primary", ["account_id", "company_id"])
    .execute();
}
