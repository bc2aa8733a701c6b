import type { Kysely } from "kysely";

/** Adds `lists_from`, the oldest position at which lists can still be read, and an index of impacts by company. */
export async function addLists(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("company_account")
    .addColumn("lists_from", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex("company_impact_by_company")
    .on("company_impact")
    .columns(["account_id", "company_id", "impact_id"])
    .execute();
}
