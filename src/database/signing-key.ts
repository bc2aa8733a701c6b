import { randomBytes } from "node:crypto";
import type { OpenDatabase } from "./open.js";

const KEY_BYTES = 32;

/** The secret with which this store's cursors are signed, the same on every node; made at the first call. */
export async function signingKey({ db }: OpenDatabase): Promise<Buffer> {
  const name = "signing-key";
  await db
    .insertInto("store_mark")
    .values({ name, value: randomBytes(KEY_BYTES).toString("hex") })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const { value } = await db
    .selectFrom("store_mark")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return Buffer.from(value, "hex");
}
