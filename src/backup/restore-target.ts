import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { BODY_FOLDER } from "../database/bodies.js";
import { isWrapped, type KeyVault, keyVault, VAULT_FILE } from "../database/key-vault.js";
import { type DatabaseLocation, openUnmigrated, unknownMigrations } from "../database/open.js";
import type { RegisteredStore } from "../database/service-store.js";
import { isHalfRestored, RESTORING_FOLDER } from "../database/unfinished-restore.js";
import { OperatorError } from "../kit/operator-error.js";
import { damaged, MANIFEST_FILE, type Manifest } from "./manifest.js";
import { KEY_CHECK, KEY_FILES } from "./take-backup.js";

/** Refuses a backup that this version cannot restore. */
export async function refuseNewer(
  folder: string,
  manifest: Manifest,
  stores: readonly RegisteredStore[],
): Promise<void> {
  const [unknown] = await unknownMigrations(manifest.dialect, stores, manifest.migrations);
  if (unknown === undefined) return;
  const path = join(folder, MANIFEST_FILE);
  throw new OperatorError(
    `${path} is of a store of version ${manifest.version}, whose change ${unknown} this version does not have; use that version or a newer one`,
  );
}

/** Refuses a target that already has data. Removes what an unfinished restore has left in a data folder. */
export async function emptyTarget(
  { url, dataDir }: DatabaseLocation,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  if (url !== undefined) {
    await refuseTables(url, dataDir);
    return refuseOtherKeys(dataDir, folder, manifest);
  }
  if (isHalfRestored(dataDir)) {
    for (const name of [RESTORING_FOLDER, BODY_FOLDER, ...KEY_FILES]) {
      await rm(join(dataDir, name), { recursive: true, force: true });
    }
  }
  const [first] = existsSync(dataDir) ? await readdir(dataDir) : [];
  if (first === undefined) return;
  throw new OperatorError(
    `${dataDir} is not empty (${first}); set VIGIL_DATA_DIR to an empty or a new folder, or move this one away`,
  );
}

async function refuseTables(url: string, dataDir: string): Promise<void> {
  const database = await openUnmigrated({ url, dataDir });
  try {
    const [table] = await database.db.introspection.getTables({ withInternalKyselyTables: true });
    if (table === undefined) return;
    throw new OperatorError(
      `the database of DATABASE_URL is not empty (${table.name}); create an empty one for the restored store`,
    );
  } finally {
    await database.close();
  }
}

/** Keys that a data folder has already must be those of the backup. */
async function refuseOtherKeys(dataDir: string, folder: string, { keys }: Manifest): Promise<void> {
  for (const { name, file } of keys) {
    const path = join(dataDir, name);
    if (!existsSync(path)) continue;
    if ((await readFile(path)).equals(await readFile(join(folder, file.path)))) continue;
    throw new OperatorError(
      `${path} is the key of another store; set VIGIL_DATA_DIR to an empty folder, or move the key away`,
    );
  }
}

interface SecretOptions {
  readonly folder: string;
  readonly manifest: Manifest;
  /** True if the backup is restored into PostgreSQL. */
  readonly isPostgres: boolean;
  /** The value of `VIGIL_KEY_SECRET`. */
  readonly keySecret: string | undefined;
}

/** Refuses a restore after which the secrets of the store could not be read. */
export async function refuseUnreadableSecrets({
  folder,
  manifest,
  isPostgres,
  keySecret,
}: SecretOptions): Promise<void> {
  const { keyCheck, keys, dialect } = manifest;
  if (keyCheck === null) return;
  const file = keys.find(({ name }) => name === VAULT_FILE)?.file;
  if (isPostgres && dialect === "sqlite" && keySecret === undefined) {
    const content =
      file === undefined ? "its value on the service that was backed up" : `the content of ${join(folder, file.path)}`;
    throw new OperatorError(
      `a restore into PostgreSQL keeps cursors and proofs valid only with VIGIL_KEY_SECRET; set it to ${content}`,
    );
  }
  const secret = keySecret ?? (file && (await readFile(join(folder, file.path), "utf8")).trim());
  if (secret === undefined) {
    throw new OperatorError(
      "the secrets in this backup need VIGIL_KEY_SECRET; set it to its value on the service that was backed up",
    );
  }
  if (vaultOf(secret).unwrap(keyCheck, KEY_CHECK) === KEY_CHECK) return;
  if (!isWrapped(keyCheck) || keySecret === undefined) throw damaged(join(folder, MANIFEST_FILE));
  throw new OperatorError(
    "VIGIL_KEY_SECRET is not that of the service that was backed up; set it to that, or unset it if there was none",
  );
}

function vaultOf(secret: string): KeyVault {
  return keyVault({ secret, dataDir: "" });
}
