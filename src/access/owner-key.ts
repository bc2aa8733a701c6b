import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenDatabase } from "../database/open.js";
import { hashOfKey, type KeyPrefix, newKey } from "./key-format.js";

/** The owner's key of a store, as far as it is known here. */
export interface OwnerKey {
  /** SHA-256 of every owner key in force, hex. */
  readonly hashes: ReadonlySet<string>;
  /** The key itself, where the file in the data folder still has it. */
  readonly key: string | undefined;
  readonly file: string;
  readonly isNew: boolean;
}

/** The owner key, made at the store's first start and written to `owner.key` (0600); only its hash is in the store. */
export async function ensureOwnerKey(
  database: OpenDatabase,
  dataDir: string,
  prefix: KeyPrefix,
  now: number,
): Promise<OwnerKey> {
  const file = join(dataDir, "owner.key");
  const hashes = await ownerKeyHashes(database);
  if (hashes.size === 0) return replaceOwnerKey(database, dataDir, prefix, now);
  return { hashes, key: keyInFile(file, hashes), file, isNew: false };
}

/** A new owner key; all earlier ones stop working. */
export async function replaceOwnerKey(
  { db }: OpenDatabase,
  dataDir: string,
  prefix: KeyPrefix,
  now: number,
): Promise<OwnerKey> {
  const file = join(dataDir, "owner.key");
  const key = newKey(prefix);
  const hash = hashOfKey(key);
  // The file first: a crash in between leaves a file whose key is not yet in force, never a key that nobody has. A new
  // file renamed over the old one, because a mode counts only when a file is created.
  const written = `${file}.${process.pid}.new`;
  rmSync(written, { force: true });
  writeFileSync(written, `${key}\n`, { mode: 0o600, flag: "wx" });
  renameSync(written, file);
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("access_key")
      .set({ revoked_at: now })
      .where("kind", "=", "owner")
      .where("revoked_at", "is", null)
      .execute();
    await transaction
      .insertInto("access_key")
      .values({ key_hash: hash, kind: "owner", created_at: now, revoked_at: null })
      .execute();
  });
  return { hashes: new Set([hash]), key, file, isNew: true };
}

/** Hashes of the owner keys in force. */
export async function ownerKeyHashes({ db }: OpenDatabase): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("access_key")
    .select("key_hash")
    .where("kind", "=", "owner")
    .where("revoked_at", "is", null)
    .execute();
  return new Set(rows.map((row) => row.key_hash));
}

function keyInFile(file: string, hashes: ReadonlySet<string>): string | undefined {
  if (!existsSync(file)) return undefined;
  const key = readFileSync(file, "utf8").trim();
  return hashes.has(hashOfKey(key)) ? key : undefined;
}
