import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, inject } from "vitest";
import { migrateServices } from "../../src/database/migrate.js";
import { openDatabase, SQLITE_FILE } from "../../src/database/open.js";
import type { OpenDatabase } from "../../src/database/open-database.js";
import { systemClock } from "../../src/kit/clock.js";
import { loadStores } from "../../src/services/registry.js";
import type { PartRecords } from "../../src/snapshots/bodies/body.js";
import type { Build, DatasetStatus, FinishedRun } from "../../src/snapshots/generation.js";
import { oncePerRun } from "./once-per-run.js";
import { onServer, server, type TestDatabase, takeDatabase } from "./postgres-databases.js";

/** A new, migrated store for one test. */
export interface OpenStore {
  readonly database: OpenDatabase;
  readonly dataDir: string;
  /** The value of `DATABASE_URL` for this store; undefined for SQLite. */
  readonly url: string | undefined;
  /** Opens another connection to the same store, as another process would. */
  openAgain(): Promise<OpenDatabase>;
  /** Closes every connection and removes the store. */
  dispose(): Promise<void>;
}

export interface StoreKindUnderTest {
  readonly name: "sqlite" | "postgres";
  /** The reason why this machine cannot test on this kind of store; undefined if it can. */
  readonly skipReason?: string;
  open(): Promise<OpenStore>;
}

/**
 * Runs one suite on every back end. Each `open()` creates a store, which is removed after the test. Without PostgreSQL,
 * the PostgreSQL half is skipped and its title gives the reason. Await the call at the top level of the file.
 */
export async function describeEachStore(
  suite: (open: () => Promise<OpenStore>, name: StoreKindUnderTest["name"]) => void,
): Promise<void> {
  for (const { name, skipReason, open } of await availableStores()) {
    const title = skipReason === undefined ? name : `${name}, skipped: ${skipReason}`;
    describe.skipIf(skipReason !== undefined)(title, () => suite(disposedAfterEach(open), name));
  }
}

/** The stores to test on: SQLite in a temporary folder, PostgreSQL at `DATABASE_URL` or on this machine. */
export async function availableStores(): Promise<readonly StoreKindUnderTest[]> {
  const skipReason = await whyNoPostgres();
  return [
    { name: "sqlite", open: openSqliteStore },
    { name: "postgres", open: openPostgresStore, ...(skipReason !== undefined && { skipReason }) },
  ];
}

/** Wraps an opener, so that its stores are disposed of after each test of the enclosing suite. */
export function disposedAfterEach(open: () => Promise<OpenStore>): () => Promise<OpenStore> {
  const opened: OpenStore[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.dispose()));
  });
  return async () => {
    const store = await open();
    opened.push(store);
    return store;
  };
}

/** Opens a SQLite store, for suites in which the kind of store makes no difference. */
export function openSqliteStore(): Promise<OpenStore> {
  return openStore(undefined, async () => undefined);
}

async function openPostgresStore(): Promise<OpenStore> {
  const { url, release } = await migratedDatabase();
  return openStore(url, release);
}

/** Takes a PostgreSQL database that has all tables. Leaves no connection to it open. */
export function migratedDatabase(): Promise<TestDatabase> {
  return takeDatabase(inject("runFolder"), async (address) => {
    const dataDir = await mkdtemp(join(tmpdir(), "vigil-store-"));
    await createAllTables(address, dataDir);
    await rm(dataDir, { recursive: true });
  });
}

/** Copies a SQLite store into an empty folder. The store has all tables, and only the rows of the migrations. */
export async function copyMigratedStore(dataDir: string): Promise<void> {
  const migrated = await oncePerRun("migrated store", (folder) => createAllTables(undefined, folder));
  await copyFile(join(migrated, SQLITE_FILE), join(dataDir, SQLITE_FILE));
}

/** Creates the tables of the store and of the services. All tests of a run share them. */
async function createAllTables(url: string | undefined, dataDir: string): Promise<void> {
  const database = await openDatabase({ url, dataDir });
  await migrateServices(database, await loadStores());
  await database.close();
}

async function openStore(url: string | undefined, remove: () => Promise<void>): Promise<OpenStore> {
  const dataDir = await mkdtemp(join(tmpdir(), "vigil-store-"));
  if (url === undefined) await copyMigratedStore(dataDir);
  const opened: OpenDatabase[] = [];
  const openAgain = async (): Promise<OpenDatabase> => {
    const database = await openDatabase({ url, dataDir });
    opened.push(database);
    return database;
  };
  return {
    database: await openAgain(),
    dataDir,
    url,
    openAgain,
    async dispose() {
      await Promise.all(opened.map((database) => database.close()));
      await remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the reason why there is no PostgreSQL server; undefined if there is one. If no server answers and
 * `DATABASE_URL` is not set, first tries to start a server on this machine.
 */
async function whyNoPostgres(): Promise<string | undefined> {
  const unreachable = await failureOfConnecting();
  if (unreachable === undefined || process.env["DATABASE_URL"] || !(await startLocalPostgres())) return unreachable;
  // Another test file may have started the server first, and a starting server refuses connections for a moment.
  for (let attempts = 0; attempts < 20; attempts++) {
    if ((await failureOfConnecting()) === undefined) return undefined;
    await systemClock.sleep(250);
  }
  return unreachable;
}

async function failureOfConnecting(): Promise<string | undefined> {
  try {
    await onServer((client) => client.query("select 1"));
    return undefined;
  } catch (error) {
    const { host, pathname } = new URL(server);
    return `no PostgreSQL at ${host}${pathname} (${error instanceof Error ? error.message || error.name : error})`;
  }
}

/** Tries to start PostgreSQL with Debian's cluster tool. False if there is no such tool or no server to start. */
async function startLocalPostgres(): Promise<boolean> {
  const versions = existsSync("/etc/postgresql") ? readdirSync("/etc/postgresql") : [];
  if (!existsSync("/usr/bin/pg_ctlcluster")) return false;
  for (const version of versions) {
    const start = promisify(execFile)("pg_ctlcluster", ["--skip-systemctl-redirect", version, "main", "start"]);
    await start.catch(() => undefined);
  }
  return versions.length > 0;
}

/** A run that published at `at`. `changes` replaces members of its status. */
export function finishedRun(
  dataset: string,
  at: number,
  changes: Partial<DatasetStatus> = {},
  reports: FinishedRun["reports"] = [],
): FinishedRun {
  const status: DatasetStatus = {
    dataset,
    attemptedAt: at,
    outcome: "published",
    error: null,
    checkedAt: at,
    nextAt: null,
    failuresInRow: 0,
    parts: {},
    ...changes,
  };
  return { runId: `run-${at}`, status, reports };
}

/** Returns a build that has these records and no provenance. */
export function buildOf(records: PartRecords, newestAt: number | null = null): Build {
  return { records, newestAt, provenance: {} };
}
