import { chmod, copyFile, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Transaction } from "kysely";
import { BODY_FOLDER, bodyStore } from "../database/bodies.js";
import { createTables, type DatabaseLocation, openUnmigrated, SQLITE_FILE } from "../database/open.js";
import type { OpenDatabase } from "../database/open-database.js";
import type { Database } from "../database/schema.js";
import type { RegisteredStore } from "../database/service-store.js";
import { openLoader } from "../database/store-loader.js";
import { RESTORING_FOLDER } from "../database/unfinished-restore.js";
import type { Clock } from "../kit/clock.js";
import { OperatorError } from "../kit/operator-error.js";
import { checkFiles, syncFolder } from "./backup-folder.js";
import { MANIFEST_FILE, type Manifest, readManifest } from "./manifest.js";
import { emptyTarget, refuseNewer, refuseUnreadableSecrets } from "./restore-target.js";
import { rowsInFile } from "./table-file.js";
import type { OnProgress } from "./take-backup.js";

export interface RestoreOptions {
  readonly folder: string;
  readonly location: DatabaseLocation;
  /** The value of `VIGIL_KEY_SECRET`. */
  readonly keySecret: string | undefined;
  readonly stores: readonly RegisteredStore[];
  readonly clock: Clock;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
}

/** Reads the manifest of a backup and every file. Throws an `OperatorError` that names a missing or damaged file. */
export async function checkedBackup({
  folder,
  stores,
  onProgress,
  signal,
}: Pick<RestoreOptions, "folder" | "stores" | "onProgress" | "signal">): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) {
    throw new OperatorError(`${folder} holds no complete backup: there is no ${join(folder, MANIFEST_FILE)}`);
  }
  await refuseNewer(folder, manifest, stores);
  await checkFiles(folder, manifest, (done, of) => onProgress("files checked", done, of), signal);
  return manifest;
}

/**
 * Restores a checked backup into an empty data folder or database. Until the end there is nothing that a service would open;
 * a restore that was cut off is repeated from the beginning.
 */
export async function restoreBackup(manifest: Manifest, options: RestoreOptions): Promise<void> {
  const { location, folder, keySecret } = options;
  await refuseUnreadableSecrets({ folder, manifest, keySecret, isPostgres: location.url !== undefined });
  await emptyTarget(location, folder, manifest);
  await mkdir(location.dataDir, { recursive: true, mode: 0o700 });
  await (location.url === undefined ? restoreFolder(manifest, options) : restoreDatabase(manifest, options));
}

async function restoreFolder(manifest: Manifest, options: RestoreOptions): Promise<void> {
  const { dataDir } = options.location;
  const restoring = join(dataDir, RESTORING_FOLDER);
  await mkdir(join(restoring, BODY_FOLDER), { recursive: true, mode: 0o700 });
  try {
    await copyKeys(manifest, options.folder, restoring);
    await load(manifest, { ...options, location: { dataDir: restoring } });
    for (const { name } of manifest.keys) await rename(join(restoring, name), join(dataDir, name));
    await rename(join(restoring, BODY_FOLDER), join(dataDir, BODY_FOLDER));
    await syncFolder(dataDir);
    // Last, because it makes the folder a store.
    await rename(join(restoring, SQLITE_FILE), join(dataDir, SQLITE_FILE));
  } catch (error) {
    for (const name of [BODY_FOLDER, ...manifest.keys.map((key) => key.name)]) {
      await rm(join(dataDir, name), { recursive: true, force: true });
    }
    await rm(restoring, { recursive: true, force: true });
    throw error;
  }
  await rm(restoring, { recursive: true });
  await syncFolder(dataDir);
}

/** All rows appear with the end of one transaction. */
async function restoreDatabase(manifest: Manifest, options: RestoreOptions): Promise<void> {
  await copyKeys(manifest, options.folder, options.location.dataDir);
  await load(manifest, options);
}

async function copyKeys(manifest: Manifest, folder: string, into: string): Promise<void> {
  for (const { name, file } of manifest.keys) {
    const path = join(into, name);
    await copyFile(join(folder, file.path), path);
    await chmod(path, 0o600);
    await sync(path);
  }
  await syncFolder(into);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function load(manifest: Manifest, options: RestoreOptions): Promise<void> {
  const database = await openUnmigrated(options.location);
  try {
    await database.db.transaction().execute(async (transaction) => {
      await createTables({ db: transaction, dialect: database.dialect }, options.stores, manifest.migrations);
      await loadBodies(manifest, options, { ...database, db: transaction });
      await loadTables(manifest, options, { db: transaction, dialect: database.dialect });
    });
  } finally {
    await database.close();
  }
}

async function loadBodies(
  { bodies }: Manifest,
  { folder, location, clock, onProgress, signal }: RestoreOptions,
  database: OpenDatabase,
): Promise<void> {
  const store = bodyStore(database, location.dataDir, clock);
  for (const [index, { contentHash, file }] of bodies.entries()) {
    signal.throwIfAborted();
    await store.put(contentHash, await readFile(join(folder, file.path)));
    onProgress("bodies copied", index + 1, bodies.length);
  }
}

async function loadTables(
  manifest: Manifest,
  { folder, onProgress, signal }: RestoreOptions,
  { db, dialect }: { readonly db: Transaction<Database>; readonly dialect: OpenDatabase["dialect"] },
): Promise<void> {
  // The schema of a PostgreSQL may have had tables of other programs.
  const own = new Set((await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name));
  const tables = manifest.tables.filter(({ name }) => own.has(name));
  const loader = await openLoader({ db, dialect }, tables);
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  let loaded = 0;
  for (const table of loader.tables) {
    const file = manifest.tables.find(({ name }) => name === table.name)?.file.path ?? "";
    for await (const rows of rowsInFile(join(folder, file))) {
      signal.throwIfAborted();
      await loader.insert(table, rows);
      loaded += rows.length;
      onProgress("rows", loaded, total);
    }
  }
  for (const [table, last] of Object.entries(manifest.lastNumbers)) {
    if (own.has(table)) await loader.continueAfter(table, last);
  }
  await nameBases(db, manifest);
}

/** The copies of bodies may build on others than the store's own did. */
async function nameBases(db: Transaction<Database>, { bodies }: Manifest): Promise<void> {
  for (const { contentHash, bases } of bodies) {
    if (bases.length === 0) continue;
    const rows = bases.map((base) => ({ content_hash: contentHash, base_hash: base, named_at: 0 }));
    await db
      .insertInto("body_base")
      .values(rows)
      .onConflict((conflict) => conflict.columns(["content_hash", "base_hash"]).doNothing())
      .execute();
  }
}
