import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Transaction } from "kysely";
import { BODY_FOLDER, bodyStore } from "../database/bodies.js";
import type { DatabaseLocation } from "../database/database-location.js";
import { createTables } from "../database/migrate.js";
import { openWhole, SQLITE_FILE } from "../database/open.js";
import type { OpenDatabase } from "../database/open-database.js";
import type { Database } from "../database/schema.js";
import type { RegisteredStore } from "../database/service-store.js";
import { openLoader } from "../database/store-loader.js";
import { RESTORING_FOLDER } from "../database/unfinished-restore.js";
import type { Clock } from "../kit/clock.js";
import { syncFolder } from "./backup-folder.js";
import { emptyTarget, refuseUnreadableSecrets } from "./restore-target.js";
import type { StoreContent } from "./store-content.js";
import type { OnProgress } from "./take-backup.js";

export interface FillOptions {
  readonly location: DatabaseLocation;
  /** The value of `VIGIL_KEY_SECRET`. */
  readonly keySecret: string | undefined;
  readonly stores: readonly RegisteredStore[];
  readonly clock: Clock;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
  /** Called when everything is written, before the target becomes a store. If it throws, no store is left behind. */
  readonly beforeEnd?: (filled: OpenDatabase, dataDir: string) => Promise<void>;
}

/**
 * Fills an empty data folder or database. No service can open the target before it is complete. After an interruption,
 * filling starts over.
 */
export async function fillStore(content: StoreContent, options: FillOptions): Promise<void> {
  const { location, keySecret } = options;
  await refuseUnreadableSecrets({ content, keySecret, isPostgres: location.url !== undefined });
  await emptyTarget(location, content);
  await mkdir(location.dataDir, { recursive: true, mode: 0o700 });
  await (location.url === undefined ? fillFolder(content, options) : fillDatabase(content, options));
}

async function fillFolder(content: StoreContent, options: FillOptions): Promise<void> {
  const { dataDir } = options.location;
  const { keys } = content.facts;
  const restoring = join(dataDir, RESTORING_FOLDER);
  await mkdir(join(restoring, BODY_FOLDER), { recursive: true, mode: 0o700 });
  try {
    await copyKeys(content, restoring);
    await load(content, { ...options, location: { dataDir: restoring } });
    for (const { name } of keys) await rename(join(restoring, name), join(dataDir, name));
    await rename(join(restoring, BODY_FOLDER), join(dataDir, BODY_FOLDER));
    await syncFolder(dataDir);
    // This file is moved last, because a folder that contains it is a store.
    await rename(join(restoring, SQLITE_FILE), join(dataDir, SQLITE_FILE));
  } catch (error) {
    for (const name of [BODY_FOLDER, ...keys.map((key) => key.name)]) {
      await rm(join(dataDir, name), { recursive: true, force: true });
    }
    await rm(restoring, { recursive: true, force: true });
    throw error;
  }
  await rm(restoring, { recursive: true });
  await syncFolder(dataDir);
}

/** Fills a database in a single transaction, so that all rows become visible together. */
async function fillDatabase(content: StoreContent, options: FillOptions): Promise<void> {
  await copyKeys(content, options.location.dataDir);
  await load(content, options);
}

async function copyKeys(content: StoreContent, into: string): Promise<void> {
  for (const { name } of content.facts.keys) {
    const bytes = await content.key(name);
    const file = await open(join(into, name), "w", 0o600);
    try {
      // `open` sets the mode of a new file only, so `chmod` sets the mode of an existing file.
      await file.chmod(0o600);
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  }
  await syncFolder(into);
}

async function load(content: StoreContent, options: FillOptions): Promise<void> {
  const { location, stores, beforeEnd } = options;
  const database = await openWhole(location, "writable");
  try {
    await database.db.transaction().execute(async (transaction) => {
      const filled = { ...database, db: transaction };
      await createTables(filled, stores, content.facts.migrations);
      await loadBodies(content, options, filled);
      await loadTables(content, options, { db: transaction, dialect: database.dialect });
      await beforeEnd?.(filled, location.dataDir);
    });
  } finally {
    await database.close();
  }
}

async function loadBodies(
  content: StoreContent,
  { location, clock, onProgress, signal }: FillOptions,
  database: OpenDatabase,
): Promise<void> {
  const store = bodyStore(database, location.dataDir, clock);
  const { bodies } = content.facts;
  for (const [index, { contentHash }] of bodies.entries()) {
    signal.throwIfAborted();
    await store.put(contentHash, await content.body(contentHash));
    onProgress("bodies copied", index + 1, bodies.length);
  }
}

async function loadTables(
  content: StoreContent,
  { onProgress, signal }: FillOptions,
  { db, dialect }: { readonly db: Transaction<Database>; readonly dialect: OpenDatabase["dialect"] },
): Promise<void> {
  const { facts } = content;
  // Tables that the new store does not have are skipped: the content of a PostgreSQL schema may include tables of other
  // programs.
  const own = new Set((await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name));
  const tables = facts.tables.filter(({ name }) => own.has(name));
  const loader = await openLoader({ db, dialect }, tables);
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  let loaded = 0;
  for (const table of loader.tables) {
    for await (const rows of content.rows(table)) {
      signal.throwIfAborted();
      await loader.insert(table, rows);
      loaded += rows.length;
      onProgress("rows", loaded, total);
    }
  }
  for (const [table, last] of Object.entries(facts.lastNumbers)) {
    if (own.has(table)) await loader.continueAfter(table, last);
  }
  await nameBases(db, facts.bodies);
}

/**
 * Records the bases of each copied body. A base is another body that is needed to read the copied body. The rows loaded
 * into `body_base` may lack these bases: if the source stored a body anew after it was copied, the rows name the bases
 * of the body's new form.
 */
async function nameBases(db: Transaction<Database>, bodies: StoreContent["facts"]["bodies"]): Promise<void> {
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
