import type { Kysely } from "kysely";

/**
 * Adds the table of the companies whose stored findings must be matched again, and the column that marks a finding as
 * withdrawn.
 */
export async function addRematch(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("company_rematch")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("company_id", "text", (column) => column.notNull())
    .addColumn("requested_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("company_rematch_primary", ["account_id", "company_id"])
    .execute();
  await db.schema
    .alterTable("company_finding")
    .addColumn("withdrawn", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}
