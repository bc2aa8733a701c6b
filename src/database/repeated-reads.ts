import { setTimeout as sleep } from "node:timers/promises";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import { StatementTimeout } from "./postgres-pool.js";
import { isStoreLost } from "./store-error.js";

/**
 * Pause before a read is repeated, so that a server which is closing its connections has time to start refusing new
 * ones.
 */
const PAUSE_MS = 50;

/**
 * Repeats a read once on another connection after an error of the store, such as a lost connection. Writes, raw
 * statements and everything in a transaction are never repeated, because their outcome is unknown. Streamed reads, and
 * reads that exceeded their time limit, are not repeated either.
 */
export function readsRepeated(driver: Driver): Driver {
  // The cast is safe, because Kysely passes only connections that `acquireConnection` has returned. The wrapped driver
  // needs its own connection, which is `inner`.
  const held = (connection: DatabaseConnection): HeldConnection => connection as HeldConnection;
  return {
    init: () => driver.init(),
    async acquireConnection() {
      return new HeldConnection(driver, await driver.acquireConnection());
    },
    async beginTransaction(connection, settings) {
      held(connection).isAlone = false;
      await driver.beginTransaction(held(connection).inner, settings);
    },
    commitTransaction: (connection) => driver.commitTransaction(held(connection).inner),
    rollbackTransaction: (connection) => driver.rollbackTransaction(held(connection).inner),
    releaseConnection: (connection) => driver.releaseConnection(held(connection).inner),
    destroy: () => driver.destroy(),
  };
}

/** A connection that is replaced if it is lost during a read. */
class HeldConnection implements DatabaseConnection {
  inner: DatabaseConnection;
  /** True until a transaction, a streamed read or any statement other than a read has begun. */
  isAlone = true;
  private readonly driver: Driver;

  constructor(driver: Driver, inner: DatabaseConnection) {
    this.driver = driver;
    this.inner = inner;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (query.query.kind !== "SelectQueryNode") this.isAlone = false;
    try {
      return await this.inner.executeQuery<R>(query);
    } catch (error) {
      if (!this.isAlone || !isStoreLost(error) || error instanceof StatementTimeout) throw error;
      await sleep(PAUSE_MS);
      const another = await this.driver.acquireConnection().catch(() => undefined);
      // The caller gets the reason why its read failed, not why no other connection is available.
      if (another === undefined) throw error;
      await this.driver.releaseConnection(this.inner);
      this.inner = another;
      return await this.inner.executeQuery<R>(query);
    }
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    this.isAlone = false;
    return this.inner.streamQuery<R>(query, chunkSize);
  }
}
