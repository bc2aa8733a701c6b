import type { Kysely } from "kysely";
import type { Database } from "./schema.js";

export type Dialect = "sqlite" | "postgres";

/** An open, migrated store. `close` is idempotent. */
export interface OpenDatabase {
  readonly dialect: Dialect;
  readonly db: Kysely<Database>;
  close(): Promise<void>;
}
