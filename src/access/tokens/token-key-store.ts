import { isWrapped, type KeyVault } from "../../database/key-vault.js";
import type { OpenDatabase } from "../../database/open-database.js";
import type { StoreContact } from "../store-contact.js";
import type { StoredTokenKey, TokenKeyStore } from "./token-keys.js";

/** The token keys in a database. Each private half is wrapped by the vault of the node that made the key. */
export function tokenKeyStore({ db }: OpenDatabase, vault: KeyVault): TokenKeyStore {
  let isWrappedThroughout = false;

  /** Wraps the private halves that were stored before the vault existed. */
  async function wrapAll(): Promise<void> {
    const rows = await db.selectFrom("token_key").select(["kid", "private_jwk"]).execute();
    for (const { kid, private_jwk } of rows.filter((row) => !isWrapped(row.private_jwk))) {
      await db
        .updateTable("token_key")
        .set({ private_jwk: vault.wrap(private_jwk, kid) })
        .where("kid", "=", kid)
        .where("private_jwk", "=", private_jwk)
        .execute();
    }
    isWrappedThroughout = true;
  }

  return {
    async list() {
      if (!isWrappedThroughout) await wrapAll();
      const rows = await db.selectFrom("token_key").selectAll().execute();
      return rows.map((row) => ({
        kid: row.kid,
        privateJwk: vault.unwrap(row.private_jwk, row.kid),
        publicJwk: row.public_jwk,
        createdAt: row.created_at,
      }));
    },
    async add({ kid, privateJwk, publicJwk, createdAt }) {
      if (privateJwk === undefined) throw new Error(`token key ${kid} has no private half to store`);
      const row = { kid, private_jwk: vault.wrap(privateJwk, kid), public_jwk: publicJwk, created_at: createdAt };
      await db.insertInto("token_key").values(row).execute();
    },
    async remove(kid) {
      await db.deleteFrom("token_key").where("kid", "=", kid).execute();
    },
  };
}

/** Returns the store with a different `list`: while the database is lost, it returns the keys that were read last. */
export function rememberedKeys(store: TokenKeyStore, contact: StoreContact): TokenKeyStore {
  let remembered: readonly StoredTokenKey[] | undefined;
  const read = async (): Promise<readonly StoredTokenKey[]> => {
    const keys = await store.list();
    remembered = keys;
    return keys;
  };
  return { ...store, list: async () => (remembered ? contact.askOr(read, remembered) : contact.ask(read)) };
}
