import type { Kysely } from "kysely";
import type { Database } from "./schema.js";

/** Returns the same database with a type that also contains the tables of a service. */
export function serviceTables<Tables>(db: Kysely<Database>): Kysely<Database & Tables> {
  // The cast replaces Kysely's `withTables()`, which would build a new instance for each call only to change the type.
  return db as unknown as Kysely<Database & Tables>;
}
