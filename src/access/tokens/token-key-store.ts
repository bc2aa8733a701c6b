import type { OpenDatabase } from "../../database/open.js";
import type { TokenKeyStore } from "./token-keys.js";

/** The token keys of a database. */
export function tokenKeyStore({ db }: OpenDatabase): TokenKeyStore {
  return {
    async list() {
      const rows = await db.selectFrom("token_key").selectAll().execute();
      return rows.map((row) => ({
        kid: row.kid,
        privateJwk: row.private_jwk,
        publicJwk: row.public_jwk,
        createdAt: row.created_at,
      }));
    },
    async add({ kid, privateJwk, publicJwk, createdAt }) {
      const row = { kid, private_jwk: privateJwk, public_jwk: publicJwk, created_at: createdAt };
      await db.insertInto("token_key").values(row).execute();
    },
    async remove(kid) {
      await db.deleteFrom("token_key").where("kid", "=", kid).execute();
    },
  };
}
