import { randomBytes } from "node:crypto";
import { isWrapped, type KeyVault } from "./key-vault.js";
import type { OpenDatabase } from "./open-database.js";

const KEY_BYTES = 32;
const NAME = "signing-key";

/**
 * Reads the secret that signs this store's cursors. Every node uses the same secret, and the first call creates it.
 * With a vault, which must be the same on all nodes, the secret is stored wrapped, that is, encrypted. If the stored
 * secret is wrapped and cannot be unwrapped, because the vault is another one or there is none, it is replaced. The
 * cursors issued so far then become invalid.
 */
export async function signingKey({ db }: OpenDatabase, vault?: KeyVault): Promise<Buffer> {
  const fresh = randomBytes(KEY_BYTES).toString("hex");
  const toStore = (secret: string): string => vault?.wrap(secret, NAME) ?? secret;
  await db
    .insertInto("store_mark")
    .values({ name: NAME, value: toStore(fresh) })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const stored = await storedKey(db);
  const secret = isWrapped(stored) ? vault?.unwrap(stored, NAME) : stored;
  if (secret !== undefined && (vault === undefined || isWrapped(stored))) return Buffer.from(secret, "hex");
  await db
    .updateTable("store_mark")
    .set({ value: toStore(secret ?? fresh) })
    .where("name", "=", NAME)
    // Another node may be replacing the secret at the same time.
    .where("value", "=", stored)
    .execute();
  const settled = await storedKey(db);
  const key = isWrapped(settled) ? vault?.unwrap(settled, NAME) : settled;
  if (key === undefined)
    throw new Error("the key that signs cursors was wrapped by a node whose VIGIL_KEY_SECRET is different");
  return Buffer.from(key, "hex");
}

async function storedKey(db: OpenDatabase["db"]): Promise<string> {
  const { value } = await db
    .selectFrom("store_mark")
    .select("value")
    .where("name", "=", NAME)
    .executeTakeFirstOrThrow();
  return value;
}
