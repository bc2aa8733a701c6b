import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sql } from "kysely";
import { expect, inject } from "vitest";
import { RowDigest } from "../../src/backup/table-digest.js";
import type { DatabaseLocation } from "../../src/database/database-location.js";
import { createTables, migrateServices, migrationState } from "../../src/database/migrate.js";
import { openDatabase, openUnmigrated } from "../../src/database/open.js";
import { openStoreSnapshot } from "../../src/database/store-snapshot.js";
import { loadStores } from "../../src/services/registry.js";
import { emptyDatabase } from "./postgres-databases.js";

const ROWS = 40;
/** The migration that the early store has; all later ones are pending. */
const APPLIED = { kysely_migration: ["001-snapshots"] };
const PROCESS = resolve(import.meta.dirname, "migrating-process.mjs");

interface EarlyStore extends DatabaseLocation {
  dispose(): Promise<void>;
}

/** Creates a store of the first version, with rows for keys, generations and the status of datasets. */
async function earlyStore(name: "sqlite" | "postgres"): Promise<EarlyStore> {
  const dataDir = await mkdtemp(join(tmpdir(), "vigil-early-"));
  const postgres = name === "postgres" ? await emptyDatabase(inject("runFolder")) : undefined;
  const location = { dataDir, url: postgres?.url };
  const database = await openUnmigrated(location);
  await database.db.transaction().execute(async (db) => {
    await createTables({ db, dialect: database.dialect }, [], APPLIED);
    await sql`insert into kysely_migration (name, timestamp) values ('001-snapshots', '2026')`.execute(db);
    await sql`insert into store_mark (name, value) values ('kind', 'real')`.execute(db);
    for (let row = 0; row < ROWS; row += 1) {
      const hash = String(row).padStart(4, "0").padEnd(64, "0");
      await sql`insert into access_key (key_hash, kind, created_at) values (${hash}, 'owner', ${row})`.execute(db);
      await sql`
        insert into snapshot (dataset, generation, content_hash, body_bytes, built_at, newest_at, record_counts, provenance)
        values ('rows', ${row + 1}, ${hash}, 1, ${row}, null, '{}', '{}')`.execute(db);
      await sql`
        insert into dataset_status (dataset, attempted_at, outcome, failures_in_row, parts)
        values (${`d${row}`}, ${row}, 'published', 0, ${`{"a":{"asked":{"b":${row}}}}`})`.execute(db);
    }
  });
  await database.close();
  return {
    ...location,
    async dispose() {
      await postgres?.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * For each number in `statements`, in turn, starts a process that migrates the store. The process kills itself at the
 * statement with that number, unless it ends first. Then migrates the store once more, to the end. Expects the same
 * content as after an undisturbed migration. Returns the number of killed processes.
 */
export async function killsOfMigration(name: "sqlite" | "postgres", statements: readonly number[]): Promise<number> {
  const [undisturbed, store] = [await earlyStore(name), await earlyStore(name)];
  const stores = await loadStores();
  let kills = 0;
  try {
    await migrateAll(undisturbed);
    const expected = await contentOf(undisturbed);
    expect(expected["api_key"]).toMatchObject({ rows: ROWS });
    expect(expected["proof_leaf"]).toMatchObject({ rows: ROWS });
    for (const statement of statements) {
      const args = [String(statement), store.dataDir, ...(store.url === undefined ? [] : [store.url])];
      const child = fork(PROCESS, args, { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
      const [code, signal] = await once(child, "exit");
      expect([code, signal]).toEqual(signal === null ? [0, null] : [null, "SIGKILL"]);
      if (signal !== null) kills += 1;
      const half = await openUnmigrated(store);
      const { unknown } = await migrationState(half, stores);
      await half.close();
      expect(unknown).toEqual([]);
    }
    await migrateAll(store);
    expect(await contentOf(store)).toEqual(expected);
    return kills;
  } finally {
    await undisturbed.dispose();
    await store.dispose();
  }
}

async function migrateAll(location: DatabaseLocation): Promise<void> {
  const database = await openDatabase(location);
  await migrateServices(database, await loadStores());
  await database.close();
}

/** The digest of every table except lock tables. The digests of tables that record migrations ignore the timestamps. */
async function contentOf(location: DatabaseLocation) {
  const snapshot = await openStoreSnapshot(location);
  const content: Record<string, ReturnType<RowDigest["result"]>> = {};
  for (const table of snapshot.tables.filter(({ name }) => !name.endsWith("_lock"))) {
    const columns = table.columns.filter((column) => column !== "timestamp");
    const digest = new RowDigest();
    for await (const rows of snapshot.rows({ ...table, columns })) {
      for (const row of rows) digest.add(columns.map((column) => row[column]));
    }
    content[table.name] = digest.result();
  }
  await snapshot.close();
  return content;
}
