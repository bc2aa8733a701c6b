import type { Kysely } from "kysely";

/** Adds the revision of the link to the feed of an account; 0 means that there is no link. */
export async function addFeed(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("company_account")
    .addColumn("feed_revision", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}
