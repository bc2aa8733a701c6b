import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Kysely, Transaction } from "kysely";
import { OPERATOR_ACCOUNT } from "../contract/access/principal.js";
import { everyScope } from "../contract/access/scopes.js";
import type { OpenDatabase } from "../database/open-database.js";
import type { Database } from "../database/schema.js";
import { accessChange } from "./access-change.js";
import { insertKey, OWNER_KEY } from "./accounts.js";
import { audit } from "./audit-log.js";
import { hashOfKey, type KeyPrefix, newKey } from "./key-format.js";

/** The owner's key of a store. */
export interface OwnerKey {
  /** The id in the list of keys. */
  readonly id: string;
  /** The key itself; undefined if the file in the data folder is missing or contains another key. */
  readonly key: string | undefined;
  readonly file: string;
  readonly isNew: boolean;
}

/**
 * Returns the owner key. If the store has none that is valid, as at its first start or after the key was revoked,
 * creates one and writes it to `owner.key` (0600). Only the hash of the key is in the store.
 */
export async function ensureOwnerKey(
  database: OpenDatabase,
  dataDir: string,
  prefix: KeyPrefix,
  now: number,
): Promise<OwnerKey> {
  const file = join(dataDir, "owner.key");
  const [inForce] = await ownerKeysInForce(database.db);
  // If several nodes start for the first time together, only one of them creates the key.
  if (!inForce) return makeOwnerKey(database, dataDir, prefix, now, (inForceNow) => inForceNow.length > 0);
  return { id: inForce.id, key: keyInFile(file, inForce.key_hash), file, isNew: false };
}

/** Creates a new owner key and revokes all earlier ones. */
export function replaceOwnerKey(
  database: OpenDatabase,
  dataDir: string,
  prefix: KeyPrefix,
  now: number,
): Promise<OwnerKey> {
  return makeOwnerKey(database, dataDir, prefix, now, () => false);
}

/**
 * Creates an owner key and revokes the earlier ones that are still valid. But if there are valid keys and `isKept`
 * returns true for them, keeps them and creates no key. `isKept` is called in the transaction.
 */
async function makeOwnerKey(
  { db }: OpenDatabase,
  dataDir: string,
  prefix: KeyPrefix,
  now: number,
  isKept: (inForce: readonly unknown[]) => boolean,
): Promise<OwnerKey> {
  const file = join(dataDir, "owner.key");
  const key = newKey(prefix);
  // With PostgreSQL, this can be the first file in the data folder, so the folder may not exist yet.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Writes a new file and renames it over the old one, because a file's mode takes effect only at creation.
  const written = `${file}.${process.pid}.${randomBytes(4).toString("hex")}.new`;
  writeFileSync(written, `${key}\n`, { mode: 0o600, flag: "wx" });
  try {
    return await accessChange(db, async (transaction) => {
      const by = { actor: "command line" };
      const old = await ownerKeysInForce(transaction);
      const [first] = old;
      if (first && isKept(old)) return { id: first.id, key: keyInFile(file, first.key_hash), file, isNew: false };
      for (const { id } of old) {
        await transaction.updateTable("api_key").set({ revoked_at: now }).where("id", "=", id).execute();
        await audit(transaction, { ...by, at: now, action: "key.revoked", accountId: OPERATOR_ACCOUNT, subject: id });
      }
      const owner = { accountId: OPERATOR_ACCOUNT, name: OWNER_KEY, scopes: everyScope, expiresAt: null };
      const { id } = await insertKey(transaction, key, owner, now, by);
      // Renamed before the commit, so that a crash in between leaves a file whose key is not valid, never a valid key
      // without a file.
      renameSync(written, file);
      return { id, key, file, isNew: true };
    });
  } finally {
    rmSync(written, { force: true });
  }
}

function ownerKeysInForce(on: Kysely<Database> | Transaction<Database>) {
  return on
    .selectFrom("api_key")
    .select(["id", "key_hash"])
    .where("account_id", "=", OPERATOR_ACCOUNT)
    .where("name", "=", OWNER_KEY)
    .where("revoked_at", "is", null)
    .execute();
}

function keyInFile(file: string, hash: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const key = readFileSync(file, "utf8").trim();
  return hashOfKey(key) === hash ? key : undefined;
}
