import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "../database/schema.js";
import { inTransaction } from "../database/transaction.js";

const VERSION = "access-version";

/**
 * Runs a change of accounts, keys or sessions as one transaction. Each change first increments the stored access
 * version, so changes run one after another. The new version also invalidates the caches of every node.
 */
export function accessChange<T>(
  db: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (transaction) => {
    await transaction
      .insertInto("store_mark")
      .values({ name: VERSION, value: "1" })
      .onConflict((conflict) =>
        conflict.column("name").doUpdateSet({ value: sql`cast(cast(store_mark.value as integer) + 1 as text)` }),
      )
      .execute();
    return work(transaction);
  });
}

/** Returns the access version: a string that is different after every committed `accessChange`. */
export async function accessVersion(db: Kysely<Database>): Promise<string> {
  const row = await db.selectFrom("store_mark").select("value").where("name", "=", VERSION).executeTakeFirst();
  return row?.value ?? "0";
}
