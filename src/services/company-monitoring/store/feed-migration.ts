import type { Kysely } from "kysely";

/** Adds the revision of an account's feed link; 0 means that the account has no link. */
export async function addFeed(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("company_account")
    .addColumn("feed_revision", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}
