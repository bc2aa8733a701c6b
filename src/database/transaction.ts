import type { Kysely, Transaction } from "kysely";
import type { Database } from "./schema.js";

/** Maximum number of attempts at a transaction that conflicts with others. */
const ATTEMPTS_MAX = 4;

/**
 * Runs work in a transaction. If PostgreSQL rolls the transaction back because of a conflict with another transaction,
 * the work runs again. The work must therefore change nothing outside of the database. After every other failure, the
 * work does not run again, because the transaction may have been committed.
 */
export async function inTransaction<T, Tables extends Database>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isConflict(error)) throw error;
    }
  }
}

/** PostgreSQL's serialization_failure and deadlock_detected. */
export function isConflict(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return code === "40001" || code === "40P01";
}
