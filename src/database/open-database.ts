import type { Kysely } from "kysely";
import type { Database } from "./schema.js";

export type Dialect = "sqlite" | "postgres";

/** An open store. `close` is idempotent. */
export interface OpenDatabase {
  readonly dialect: Dialect;
  readonly db: Kysely<Database>;
  /** If false, a store that needs migrations is refused and not migrated. Default true. */
  readonly mayMigrate?: boolean;
  /** Runs work whose statements may take minutes, such as migrations. The caller must run no other work meanwhile. */
  readonly patiently?: <T>(work: () => Promise<T>) => Promise<T>;
  close(): Promise<void>;
}
