import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { BODY_FOLDER } from "../database/bodies.js";
import type { DatabaseLocation } from "../database/database-location.js";
import { keyVault, VAULT_FILE } from "../database/key-vault.js";
import { unknownMigrations } from "../database/migrate.js";
import { openUnmigrated } from "../database/open.js";
import type { RegisteredStore } from "../database/service-store.js";
import { isHalfRestored, RESTORING_FOLDER } from "../database/unfinished-restore.js";
import { OperatorError } from "../kit/operator-error.js";
import type { Manifest } from "./manifest.js";
import type { StoreContent } from "./store-content.js";
import { KEY_CHECK, KEY_FILES } from "./take-backup.js";

/** Refuses a backup of a store with a migration that this version lacks. */
export async function refuseNewer(path: string, manifest: Manifest, stores: readonly RegisteredStore[]): Promise<void> {
  const [unknown] = await unknownMigrations(manifest.dialect, stores, manifest.migrations);
  if (unknown === undefined) return;
  throw new OperatorError(
    `${path} was taken by version ${manifest.version} and needs the change ${unknown}, which this version lacks; use that version or a newer one`,
  );
}

/**
 * Refuses a target that already has data. If a restore or copy into the data folder was interrupted, first removes the
 * files that it left there.
 */
export async function emptyTarget({ url, dataDir }: DatabaseLocation, content: StoreContent): Promise<void> {
  if (url !== undefined) {
    await refuseTables(url, dataDir);
    return refuseOtherKeys(dataDir, content);
  }
  if (isHalfRestored(dataDir)) {
    for (const name of [RESTORING_FOLDER, BODY_FOLDER, ...KEY_FILES]) {
      await rm(join(dataDir, name), { recursive: true, force: true });
    }
  }
  const [first] = existsSync(dataDir) ? await readdir(dataDir) : [];
  if (first === undefined) return;
  throw new OperatorError(`${dataDir} is not empty (${first}); choose an empty or a new folder, or move this one away`);
}

async function refuseTables(url: string, dataDir: string): Promise<void> {
  const database = await openUnmigrated({ url, dataDir });
  try {
    const [table] = await database.db.introspection.getTables({ withInternalKyselyTables: true });
    if (table === undefined) return;
    throw new OperatorError(`the database is not empty (${table.name}); create an empty one for the store`);
  } finally {
    await database.close();
  }
}

/** Refuses a data folder that already contains a key of another store. */
async function refuseOtherKeys(dataDir: string, content: StoreContent): Promise<void> {
  for (const { name } of content.facts.keys) {
    const path = join(dataDir, name);
    if (!existsSync(path)) continue;
    if ((await readFile(path)).equals(await content.key(name))) continue;
    throw new OperatorError(
      `${path} is the key of another store; set VIGIL_DATA_DIR to an empty folder, or move the key away`,
    );
  }
}

interface SecretOptions {
  readonly content: StoreContent;
  /** True if the content goes into PostgreSQL. */
  readonly isPostgres: boolean;
  /** The value of `VIGIL_KEY_SECRET`. */
  readonly keySecret: string | undefined;
}

/** Refuses to fill a store whose secrets would be unreadable. */
export async function refuseUnreadableSecrets({ content, isPostgres, keySecret }: SecretOptions): Promise<void> {
  const { keyCheck, keys, dialect } = content.facts;
  if (keyCheck === null) return;
  const hasFile = keys.some(({ name }) => name === VAULT_FILE);
  if (isPostgres && dialect === "sqlite" && keySecret === undefined) {
    const value = hasFile ? `the content of ${content.nameOfKey(VAULT_FILE)}` : "its value on the original service";
    throw new OperatorError(
      `cursors and proofs stay valid in PostgreSQL only with VIGIL_KEY_SECRET; set it to ${value}`,
    );
  }
  const secret = keySecret ?? (hasFile ? (await content.key(VAULT_FILE)).toString().trim() : undefined);
  if (secret === undefined) {
    throw new OperatorError(
      "the secrets of this store need VIGIL_KEY_SECRET; set it to its value on the original service",
    );
  }
  if (keyVault({ secret, dataDir: "" }).unwrap(keyCheck, KEY_CHECK) === KEY_CHECK) return;
  throw new OperatorError(
    keySecret === undefined
      ? `${content.nameOfKey(VAULT_FILE)} is not the key of this store; set VIGIL_KEY_SECRET to the secret of the original service`
      : "VIGIL_KEY_SECRET differs from its value on the original service; set it to that value, or unset it if there was none",
  );
}
