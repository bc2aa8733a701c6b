import { CompiledQuery, type DatabaseConnection, SqliteDriver } from "kysely";

/**
 * Takes the write lock when a transaction begins. A deferred transaction that reads first and writes later can fail
 * with SQLITE_BUSY at once, without waiting, when another process wrote in between.
 */
export class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}
