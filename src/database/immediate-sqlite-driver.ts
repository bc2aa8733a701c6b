import { CompiledQuery, type DatabaseConnection, SqliteAdapter, SqliteDriver } from "kysely";

/**
 * Takes the write lock when a transaction begins. A deferred transaction that reads first and writes later can fail
 * with SQLITE_BUSY at once, without waiting, when another process wrote in between.
 */
export class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }
}

/**
 * Lets all migrations run in one transaction, which SQLite can and Kysely does not assume: a crash in the middle leaves
 * nothing behind, and two processes that open a new folder at once wait for each other.
 */
export class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
