import type { Kysely } from "kysely";
import type { Database } from "./schema.js";

/** The database with the types of a service's tables besides those of the frame. */
export function serviceTables<Tables>(db: Kysely<Database>): Kysely<Database & Tables> {
  // Kysely's `withTables()` would build a new instance for each call, only to change the type.
  return db as unknown as Kysely<Database & Tables>;
}
