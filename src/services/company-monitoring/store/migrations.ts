import { type CreateTableBuilder, type Kysely, type Migration, type SqlBool, sql } from "kysely";
import { addAdmission } from "./admission/admission-migration.js";
import { addFeed } from "./feed-migration.js";
import { addLists } from "./lists-migration.js";
import { addRematch } from "./rematch/rematch-migration.js";
import { addIdentity } from "./scan/identity-migration.js";
import { addScans } from "./scan/scan-migration.js";

/** The migrations in order of name, the same on SQLite and PostgreSQL. A released migration never changes. */
export const companyMigrations: Readonly<Record<string, Migration>> = {
  "001-portfolio": { up: createTables },
  "002-lists": { up: addLists },
  "003-scan": { up: addScans },
  "004-admission": { up: addAdmission },
  "005-identity": { up: addIdentity },
  "006-feed": { up: addFeed },
  "007-rematch": { up: addRematch },
  "008-portfolio-changes": { up: indexPortfolioChanges },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await createPortfolio(db);
  await createLog(db);
  await createEvents(db);
}

async function createPortfolio(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("company_account")
    .addColumn("account_id", "text", (column) => column.primaryKey())
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("generation", "bigint", (column) => column.notNull())
    .addColumn("company_count", "integer", (column) => column.notNull())
    .addColumn("oldest_position", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await ofCompany(db, "company_version")
    .addColumn("visible_from", "bigint", (column) => column.notNull())
    .addColumn("visible_to", "bigint")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("customer_reference", "text")
    .addColumn("domicile_country", "text", (column) => column.notNull())
    .addColumn("lifecycle", "text", (column) => column.notNull())
    .addColumn("coverage", "text", (column) => column.notNull())
    .addColumn("observation", "text", (column) => column.notNull())
    .addColumn("claims", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addColumn("superseded_at", "bigint")
    .addPrimaryKeyConstraint("company_version_primary", ["account_id", "company_id", "visible_from"])
    .execute();
  await db.schema
    .createIndex("company_version_current")
    .on("company_version")
    .columns(["account_id", "company_id"])
    .unique()
    .where(sql<SqlBool>`visible_to is null`)
    .execute();
  await db.schema
    .createIndex("company_version_reference")
    .on("company_version")
    .columns(["account_id", "customer_reference"])
    .unique()
    .where(sql<SqlBool>`visible_to is null and customer_reference is not null`)
    .execute();
  await db.schema
    .createIndex("company_version_by_end")
    .on("company_version")
    .columns(["account_id", "superseded_at"])
    .execute();
  await ofCompany(db, "company_request")
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("request_id", "text", (column) => column.notNull())
    .addColumn("ordinal", "integer", (column) => column.notNull())
    .addColumn("fingerprint", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("company_request_primary", ["account_id", "kind", "request_id", "ordinal"])
    .execute();
  await db.schema
    .createIndex("company_request_by_company")
    .on("company_request")
    .columns(["account_id", "company_id"])
    .execute();
  await ofCompany(db, "company_scan")
    .addColumn("requested_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("company_scan_primary", ["account_id", "company_id"])
    .execute();
  await ofCompany(db, "company_coverage")
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("changed_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("company_coverage_primary", ["account_id", "company_id"])
    .execute();
}

async function createLog(db: Kysely<unknown>): Promise<void> {
  await ofCompany(db, "company_change")
    .addColumn("position", "bigint", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("impact_id", "text")
    .addColumn("changed_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("company_change_primary", ["account_id", "position"])
    .execute();
  // The index is partial, because polls read only impacts, and any number of other changes may be between two impacts.
  await db.schema
    .createIndex("company_change_impacts")
    .on("company_change")
    .columns(["account_id", "position"])
    .where(sql<SqlBool>`kind = 'impact'`)
    .execute();
  await ofCompany(db, "company_impact")
    .addColumn("impact_id", "text", (column) => column.notNull())
    .addColumn("visible_from", "bigint", (column) => column.notNull())
    .addColumn("visible_to", "bigint")
    .addColumn("event_id", "text", (column) => column.notNull())
    .addColumn("direction", "text", (column) => column.notNull())
    .addColumn("lifecycle", "text", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("superseded_at", "bigint")
    .addPrimaryKeyConstraint("company_impact_primary", ["account_id", "impact_id", "visible_from"])
    .execute();
  await db.schema
    .createIndex("company_impact_current")
    .on("company_impact")
    .columns(["account_id", "impact_id"])
    .unique()
    .where(sql<SqlBool>`visible_to is null`)
    .execute();
  await db.schema
    .createIndex("company_impact_superseded")
    .on("company_impact")
    .columns(["account_id", "visible_from"])
    .where(sql<SqlBool>`visible_to is not null`)
    .execute();
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("company_event")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("event_id", "text", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("company_event_primary", ["account_id", "event_id"])
    .execute();
  await db.schema
    .createTable("company_evidence")
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("event_id", "text", (column) => column.notNull())
    .addColumn("ordinal", "integer", (column) => column.notNull())
    .addColumn("evidence_id", "text", (column) => column.notNull())
    .addColumn("body", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("company_evidence_primary", ["account_id", "event_id", "ordinal"])
    .execute();
}

/** Adds an index of the changes of the portfolio, in which streams find the newest one. */
async function indexPortfolioChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("company_change_companies")
    .on("company_change")
    .columns(["account_id", "position"])
    .where(sql<SqlBool>`kind = 'company'`)
    .execute();
}

/** Begins a table whose rows belong to a company of an account. */
function ofCompany(db: Kysely<unknown>, table: string): CreateTableBuilder<string, "account_id" | "company_id"> {
  return db.schema
    .createTable(table)
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("company_id", "text", (column) => column.notNull());
}
