import { type Kysely, type Migration, type MigrationProvider, sql } from "kysely";
import type { Dialect } from "./open-database.js";
import { appendStoredGenerations } from "./proof-log.js";
import type { Database } from "./schema.js";

/** The migrations, in the order of their names; a released migration never changes. */
const migrations = (dialect: Dialect): Record<string, Migration> => ({
  "001-snapshots": { up: (db) => createSnapshotTables(db, dialect) },
  "002-access": { up: (db) => createAccessTables(db, dialect) },
  "003-budget": { up: createBudgetTable },
  "004-asked": { up: createAskedTable },
  "005-idempotency-owner": { up: addIdempotencyOwner },
  "006-part-memory": { up: moveAskedToMemory },
  "007-products": { up: addIngredientsOfRuns },
  "008-accounts-of-runs": { up: addAccountOfRuns },
  "009-proof-log": { up: createProofTables },
  "010-run-history": { up: createRunHistory },
  "011-body-bases": { up: createBodyBases },
  "012-build-accounts": { up: addBuildAccounts },
  "013-body-base-times": { up: addBodyBaseTimes },
  "014-session-address": { up: addSessionAddress },
  "015-plan-events": { up: createPlanEvents },
});

export function migrationProvider(dialect: Dialect): MigrationProvider {
  return { getMigrations: async () => migrations(dialect) };
}

async function createSnapshotTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const blob = dialect === "sqlite" ? "blob" : "bytea";
  await db.schema
    .createTable("store_mark")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("value", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("snapshot")
    .addColumn("dataset", "text", (column) => column.notNull())
    .addColumn("generation", "bigint", (column) => column.notNull())
    .addColumn("content_hash", "text", (column) => column.notNull())
    .addColumn("body_bytes", "bigint", (column) => column.notNull())
    .addColumn("built_at", "bigint", (column) => column.notNull())
    .addColumn("newest_at", "bigint")
    .addColumn("record_counts", "text", (column) => column.notNull())
    .addColumn("provenance", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("snapshot_primary", ["dataset", "generation"])
    .execute();
  await db.schema
    .createTable("dataset_status")
    .addColumn("dataset", "text", (column) => column.primaryKey())
    .addColumn("attempted_at", "bigint", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("error", "text")
    .addColumn("checked_at", "bigint")
    .addColumn("next_at", "bigint")
    .addColumn("failures_in_row", "integer", (column) => column.notNull())
    .addColumn("parts", "text", (column) => column.notNull())
    .execute();
  await createSourceRunTable(db, dialect);
  await db.schema
    .createTable("lease")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("body")
    .addColumn("content_hash", "text", (column) => column.primaryKey())
    .addColumn("bytes", blob, (column) => column.notNull())
    .addColumn("stored_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("access_key")
    .addColumn("key_hash", "text", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("revoked_at", "bigint")
    .execute();
}

async function createSourceRunTable(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const table = db.schema.createTable("source_run");
  const withId =
    dialect === "sqlite"
      ? table.addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
      : table.addColumn("id", "bigserial", (column) => column.primaryKey());
  await withId
    .addColumn("run_id", "text", (column) => column.notNull())
    .addColumn("dataset", "text", (column) => column.notNull())
    .addColumn("part", "text", (column) => column.notNull())
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("request_key", "text", (column) => column.notNull())
    .addColumn("url", "text", (column) => column.notNull())
    .addColumn("fetched_at", "bigint", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("http_status", "integer")
    .addColumn("bytes", "bigint")
    .addColumn("sha256", "text")
    .addColumn("newest_at", "bigint")
    .addColumn("rows_read", "bigint")
    .addColumn("rows_bad", "bigint")
    .addColumn("error", "text")
    .execute();
  await db.schema.createIndex("source_run_by_dataset").on("source_run").columns(["dataset", "fetched_at"]).execute();
}

async function createAccessTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable("account")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("plan", "text", (column) => column.notNull())
    .addColumn("plan_state", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("api_key")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("key_hash", "text", (column) => column.notNull().unique())
    .addColumn("account_id", "text", (column) => column.notNull().references("account.id"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("hint", "text", (column) => column.notNull())
    .addColumn("scopes", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .execute();
  await db.schema.createIndex("api_key_by_account").on("api_key").column("account_id").execute();
  await moveOwnerKeys(db);
  await db.schema
    .createTable("session")
    .addColumn("session_hash", "text", (column) => column.primaryKey())
    .addColumn("key_id", "text", (column) => column.notNull().references("api_key.id"))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("sign_in_link")
    .addColumn("link_hash", "text", (column) => column.primaryKey())
    .addColumn("key_id", "text", (column) => column.notNull().references("api_key.id"))
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("token_key")
    .addColumn("kid", "text", (column) => column.primaryKey())
    .addColumn("private_jwk", "text", (column) => column.notNull())
    .addColumn("public_jwk", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("idempotency_claim")
    .addColumn("claim", "text", (column) => column.primaryKey())
    .addColumn("body_hash", "text", (column) => column.notNull())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("claimed_at", "bigint", (column) => column.notNull())
    .addColumn("status", "integer")
    .addColumn("content_type", "text")
    .addColumn("body", "text")
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("idempotency_claim_by_end").on("idempotency_claim").column("expires_at").execute();
  await createAuditTable(db, dialect);
}

async function createBudgetTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("budget")
    .addColumn("cycle", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("used", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("budget_primary", ["cycle", "name"])
    .execute();
}

async function createAskedTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("dataset_asked")
    .addColumn("dataset", "text", (column) => column.primaryKey())
    .addColumn("asked_at", "bigint", (column) => column.notNull())
    .execute();
}

/** Adds the owner and the size of stored answers. Answers stored earlier have no owner; they expire within a day. */
async function addIdempotencyOwner(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("idempotency_claim")
    .addColumn("owner", "text", (column) => column.notNull().defaultTo(""))
    .execute();
  await db.schema
    .alterTable("idempotency_claim")
    .addColumn("kept_bytes", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex("idempotency_claim_by_owner")
    .on("idempotency_claim")
    .columns(["owner", "claimed_at"])
    .execute();
}

/** Moves the request time of each part into the part's memory. */
async function moveAskedToMemory(db: Kysely<unknown>): Promise<void> {
  const statuses = await sql<{ dataset: string; parts: string }>`
    select dataset, parts from dataset_status where parts like '%"asked"%'`.execute(db);
  for (const { dataset, parts } of statuses.rows) {
    const moved = withMemories(parts);
    if (moved !== undefined)
      await sql`update dataset_status set parts = ${moved} where dataset = ${dataset}`.execute(db);
  }
}

/**
 * Moves the request time of each part of a status into the part's memory. Returns undefined if the status is not JSON;
 * the next run then replaces the status.
 */
function withMemories(text: string): string | undefined {
  let parts: Readonly<Record<string, { readonly asked?: unknown }>>;
  try {
    parts = JSON.parse(text);
  } catch {
    return undefined;
  }
  const moved = Object.entries(parts).map(([name, { asked, ...status }]) => [
    name,
    asked === undefined ? status : { ...status, memory: { askedAt: asked } },
  ]);
  return JSON.stringify(Object.fromEntries(moved));
}

async function addIngredientsOfRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("dataset_status").addColumn("ingredients", "text").execute();
}

async function addAccountOfRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("dataset_status").addColumn("account", "text").execute();
}

/** Creates the Merkle log; the stored generations become its first leaves. */
async function createProofTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("proof_log")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("size", "bigint", (column) => column.notNull())
    .execute();
  await sql`insert into proof_log (name, size) values ('generations', 0)`.execute(db);
  await db.schema
    .createTable("proof_leaf")
    .addColumn("leaf_index", "bigint", (column) => column.primaryKey())
    .addColumn("dataset", "text", (column) => column.notNull())
    .addColumn("generation", "bigint", (column) => column.notNull())
    .addColumn("entry", "text", (column) => column.notNull())
    .addColumn("hashes", "text", (column) => column.notNull())
    .execute();
  // The index is not unique, because a generation that was removed by hand and published again must appear twice.
  await db.schema.createIndex("proof_leaf_by_generation").on("proof_leaf").columns(["dataset", "generation"]).execute();
  await db.schema
    .createTable("proof_key")
    .addColumn("key_id", "text", (column) => column.primaryKey())
    .addColumn("public_key", "text", (column) => column.notNull())
    .addColumn("private_key", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  // The cast is safe, because `appendStoredGenerations` uses only columns that exist after this migration.
  await appendStoredGenerations(db as Kysely<Database>);
}

/**
 * Creates the history of runs. Of earlier runs, only those that published a kept generation are known; the states
 * after these runs are unknown.
 */
async function createRunHistory(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("dataset_run")
    .addColumn("dataset", "text", (column) => column.notNull())
    .addColumn("run", "bigint", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("generation", "bigint", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("checked_at", "bigint")
    .addColumn("status", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("dataset_run_primary", ["dataset", "run"])
    .execute();
  await db.schema.createIndex("dataset_run_by_time").on("dataset_run").columns(["dataset", "at", "run"]).execute();
  const byOutcome = db.schema.createIndex("dataset_run_by_outcome").on("dataset_run");
  await byOutcome.columns(["dataset", "outcome", "at", "run"]).execute();
  await sql`
    insert into dataset_run (dataset, run, at, generation, outcome, checked_at, status)
    select dataset, generation, built_at, generation, 'published', built_at, '' from snapshot`.execute(db);
  await createRowChanges(db);
}

/** Adds the differences between generations. For earlier generations they are unknown. */
async function createRowChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("snapshot").addColumn("changes", "text").execute();
  const byTime = db.schema.createIndex("snapshot_by_time").on("snapshot");
  await byTime.columns(["dataset", "built_at", "generation"]).execute();
  await db.schema
    .createTable("row_revision")
    .addColumn("dataset", "text", (column) => column.notNull())
    .addColumn("generation", "bigint", (column) => column.notNull())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("rows", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("row_revision_primary", ["dataset", "generation"])
    .execute();
}

async function createBodyBases(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("body_base")
    .addColumn("content_hash", "text", (column) => column.notNull())
    .addColumn("base_hash", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("body_base_primary", ["content_hash", "base_hash"])
    .execute();
}

/**
 * Adds an index by base, and the write time of each row. With this time, the rows whose body was never stored can be
 * found.
 */
async function addBodyBaseTimes(db: Kysely<unknown>): Promise<void> {
  const time = db.schema.alterTable("body_base");
  await time.addColumn("named_at", "bigint", (column) => column.notNull().defaultTo(0)).execute();
  await db.schema.createIndex("body_base_by_base").on("body_base").column("base_hash").execute();
}

/** Adds the address of the browser to each session. The addresses of earlier sessions are unknown. */
async function addSessionAddress(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("session").addColumn("address", "text").execute();
}

/** Creates the table of plan events. */
async function createPlanEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("plan_event")
    .addColumn("event_hash", "text", (column) => column.primaryKey())
    .addColumn("body_hash", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("account", "text", (column) => column.notNull())
    .addColumn("applied_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("plan_event_by_account").on("plan_event").columns(["account_id", "applied_at"]).execute();
}

/** Adds the row counts of builds. Those of earlier generations are unknown. */
async function addBuildAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("snapshot").addColumn("build_account", "text").execute();
}

async function createAuditTable(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const table = db.schema.createTable("audit_event");
  const withId =
    dialect === "sqlite"
      ? table.addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
      : table.addColumn("id", "bigserial", (column) => column.primaryKey());
  await withId
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("account_id", "text")
    .addColumn("subject", "text")
    .addColumn("address", "text")
    .addColumn("detail", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("audit_event_by_time").on("audit_event").column("at").execute();
}

/** Creates the operator's account. Moves the owner keys, which had no account before, into it. */
async function moveOwnerKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into account (id, name, plan, plan_state, created_at, updated_at)
    values ('operator', 'Operator', 'enterprise', 'active', 0, 0)`.execute(db);
  await sql`
    insert into api_key (id, key_hash, account_id, name, hint, scopes, created_at, revoked_at)
    select 'key_' || substr(key_hash, 1, 24), key_hash, 'operator', 'owner.key', '', '*', created_at, revoked_at
    from access_key`.execute(db);
  await db.schema.dropTable("access_key").execute();
}
