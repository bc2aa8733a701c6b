import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "../database/schema.js";

const VERSION = "access-version";

/**
 * Runs a change of accounts, keys or sessions as one transaction. Changes take turns: each first counts the version up,
 * which also tells every node that something it remembers may no longer hold.
 */
export function accessChange<T>(
  db: Kysely<Database>,
  work: (transaction: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
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

/** Another text after every change that has been committed. */
export async function accessVersion(db: Kysely<Database>): Promise<string> {
  const row = await db.selectFrom("store_mark").select("value").where("name", "=", VERSION).executeTakeFirst();
  return row?.value ?? "0";
}
