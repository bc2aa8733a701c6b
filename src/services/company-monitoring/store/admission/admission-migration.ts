import { type Kysely, type SqlBool, sql } from "kysely";

/** Adds the occurrences into which findings are grouped, and the log of decisions. */
export async function addAdmission(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("company_occurrence")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("company_id", "text", (column) => column.notNull())
    .addColumn("occurrence_id", "text", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("impact_id", "text")
    .addColumn("lifecycle", "text")
    .addColumn("statement", "text")
    .addColumn("members", "text", (column) => column.notNull())
    .addColumn("newest_at", "bigint", (column) => column.notNull())
    .addColumn("next_at", "bigint")
    .addColumn("decision", "text", (column) => column.notNull())
    .addColumn("judged_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("company_occurrence_primary", ["account_id", "occurrence_id"])
    .execute();
  await db.schema
    .createIndex("company_occurrence_by_company")
    .on("company_occurrence")
    .columns(["account_id", "company_id", "newest_at"])
    .execute();
  await db.schema
    .createIndex("company_occurrence_next")
    .on("company_occurrence")
    .columns(["next_at"])
    .where(sql<SqlBool>`next_at is not null`)
    .execute();
  await db.schema
    .createTable("company_decision")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("occurrence_id", "text", (column) => column.notNull())
    .addColumn("ordinal", "integer", (column) => column.notNull())
    .addColumn("company_id", "text", (column) => column.notNull())
    .addColumn("decided_at", "bigint", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("company_decision_primary", ["account_id", "occurrence_id", "ordinal"])
    .execute();
}
