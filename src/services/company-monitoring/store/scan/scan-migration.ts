import { type Kysely, type SqlBool, sql } from "kysely";

/**
 * Adds two tables. `company_window` has one row for each company and provider: the state of the scans, and the time
 * when the next scan is due. `company_finding` has what the scans found. Coverage is computed from these tables, so the
 * table `company_coverage` is dropped. `company_version.coverage` stays and gets `coverage_changed_at`, the time of its
 * last change.
 */
export async function addScans(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("company_window")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("company_id", "text", (column) => column.notNull())
    .addColumn("provider", "text", (column) => column.notNull())
    .addColumn("state", "text")
    .addColumn("reason", "text")
    .addColumn("capped", "integer", (column) => column.notNull())
    .addColumn("window_start", "bigint")
    .addColumn("window_end", "bigint")
    .addColumn("complete_since", "bigint")
    .addColumn("complete_until", "bigint")
    .addColumn("fresh_until", "bigint", (column) => column.notNull())
    .addColumn("ended_count", "integer", (column) => column.notNull())
    .addColumn("failure_count", "integer", (column) => column.notNull())
    .addColumn("due_at", "bigint")
    .addColumn("content", "text")
    .addColumn("lease", "text")
    .addColumn("lease_until", "bigint")
    .addPrimaryKeyConstraint("company_window_primary", ["account_id", "company_id", "provider"])
    .execute();
  await db.schema
    .createIndex("company_window_due")
    .on("company_window")
    .columns(["account_id", "due_at"])
    .where(sql<SqlBool>`due_at is not null`)
    .execute();
  await db.schema
    .createTable("company_finding")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("company_id", "text", (column) => column.notNull())
    .addColumn("provider", "text", (column) => column.notNull())
    .addColumn("source_id", "text", (column) => column.notNull())
    .addColumn("published_at", "bigint", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("found_at", "bigint", (column) => column.notNull())
    .addColumn("judged", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("company_finding_primary", ["account_id", "company_id", "provider", "source_id"])
    .execute();
  await db.schema
    .createIndex("company_finding_waiting")
    .on("company_finding")
    .columns(["account_id", "company_id"])
    .where(sql<SqlBool>`judged = 0`)
    .execute();
  await db.schema.alterTable("company_version").addColumn("coverage_changed_at", "bigint").execute();
  await db.schema.dropTable("company_coverage").execute();
}
