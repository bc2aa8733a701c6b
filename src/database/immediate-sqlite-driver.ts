import { setTimeout as sleep } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  SqliteAdapter,
  type SqliteDialectConfig,
  SqliteDriver,
} from "kysely";
import { monotonicMs } from "../kit/clock.js";

/** Longest time that a statement waits for the write lock of another process. */
export const LOCK_MS_MAX = 10_000;
const PAUSE_FIRST_MS = 2;
const PAUSE_MS_MAX = 50;

/**
 * Takes the write lock when a transaction begins. A deferred transaction that reads first and writes later can fail with
 * SQLITE_BUSY at once, without waiting, if another process wrote in between.
 *
 * Waits for the lock between turns of the event loop: SQLite's own busy timeout would block the whole process. Other
 * reads can use the connection meanwhile. The database must be opened with a timeout of 0.
 */
export class ImmediateSqliteDriver extends SqliteDriver {
  private readonly lockMsMax: number;
  private only: PatientConnection | undefined = undefined;

  constructor(config: SqliteDialectConfig, lockMsMax = LOCK_MS_MAX) {
    super(config);
    this.lockMsMax = lockMsMax;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const inner = await super.acquireConnection();
    this.only ??= new PatientConnection(inner, this.lockMsMax, {
      give: () => super.releaseConnection(),
      take: () => super.acquireConnection(),
    });
    return this.only;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
    if (this.only) this.only.isInTransaction = true;
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    if (this.only) this.only.isInTransaction = false;
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.only) this.only.isInTransaction = false;
    await super.rollbackTransaction(connection);
  }
}

/** Lets other work use the one connection while a statement waits. */
interface Turn {
  readonly give: () => Promise<unknown>;
  readonly take: () => Promise<unknown>;
}

class PatientConnection implements DatabaseConnection {
  /** True inside a transaction: its statements have the write lock, so none waits for another process. */
  isInTransaction = false;
  private readonly inner: DatabaseConnection;
  private readonly lockMsMax: number;
  private readonly turn: Turn;

  constructor(inner: DatabaseConnection, lockMsMax: number, turn: Turn) {
    this.inner = inner;
    this.lockMsMax = lockMsMax;
    this.turn = turn;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const execute = async (): Promise<QueryResult<R>> => this.inner.executeQuery<R>(query);
    return this.isInTransaction ? execute() : whenUnlocked(execute, this.lockMsMax, this.turn);
  }

  streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize);
  }
}

/** Retries work that meets a lock of another process, with pauses for all other work of this process. */
export async function whenUnlocked<T>(
  work: () => T | Promise<T>,
  lockMsMax = LOCK_MS_MAX,
  turn: Turn = { give: async () => undefined, take: async () => undefined },
): Promise<T> {
  const lastAt = monotonicMs() + lockMsMax;
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || monotonicMs() >= lastAt) throw error;
    }
    await turn.give();
    await sleep(pauseMs);
    await turn.take();
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

/**
 * Runs all migrations in one transaction, which SQLite supports although Kysely does not assume it: a crash leaves
 * nothing behind, and two processes that open a new folder at once wait for each other.
 */
export class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
