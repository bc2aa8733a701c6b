import { setTimeout as sleep } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from "kysely";
import { LRUCache } from "lru-cache";
import { monotonicMs } from "../kit/clock.js";

/** Longest time that a statement waits for the write lock of another process. */
export const LOCK_MS_MAX = 10_000;
const PAUSE_FIRST_MS = 2;
const PAUSE_MS_MAX = 50;

/** Kysely's SQL for SQLite, run by `sqliteDriver`. The database must be opened with a timeout of 0. */
export function sqliteDialect(database: SqliteDatabase, lockMsMax = LOCK_MS_MAX): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => sqliteDriver(database, lockMsMax),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * One connection that its users take in turns. Takes the write lock when a transaction begins. A deferred transaction that
 * reads first and writes later can fail with SQLITE_BUSY at once, without waiting, if another process wrote in between.
 *
 * Waits for the lock between turns of the event loop: SQLite's own busy timeout would block the whole process. Other
 * reads can use the connection meanwhile.
 */
function sqliteDriver(database: SqliteDatabase, lockMsMax: number): Driver {
  const turn = turnstile();
  const prepared = preparedStatements(database);
  /** True inside a transaction: its statements have the write lock, so none waits for another process. */
  let isInTransaction = false;
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const execute = (): QueryResult<R> => execution<R>(prepared, query);
      return isInTransaction ? execute() : whenUnlocked(execute, lockMsMax, turn);
    },
    async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      // SQLite knows the columns of its rows at run time only.
      for (const row of database.prepare(sql).iterate(parameters)) yield { rows: [row as R] };
    },
  };
  const runs = (statement: string): Promise<unknown> => connection.executeQuery(CompiledQuery.raw(statement));
  return {
    init: async () => undefined,
    async acquireConnection() {
      await turn.take();
      return connection;
    },
    async beginTransaction() {
      await runs("begin immediate");
      isInTransaction = true;
    },
    async commitTransaction() {
      await runs("commit");
      isInTransaction = false;
    },
    async rollbackTransaction() {
      isInTransaction = false;
      await runs("rollback");
    },
    releaseConnection: async () => turn.give(),
    destroy: async () => database.close(),
  };
}

function execution<R>(prepared: PreparedStatements, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = prepared.of(sql);
  // SQLite knows the columns of its rows at run time only.
  if (statement.reader) return { rows: statement.all(parameters) as R[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
}

/** Statements by their text, kept because preparing one takes as long as running it. */
interface PreparedStatements {
  of(text: string): SqliteStatement;
}

/** Most statements that are kept; those that were used last stay. */
const STATEMENTS_MAX = 200;

function preparedStatements(database: SqliteDatabase): PreparedStatements {
  const kept = new LRUCache<string, SqliteStatement>({ max: STATEMENTS_MAX });
  return {
    of(text) {
      const statement = kept.get(text) ?? database.prepare(text);
      // The columns of `select *` change when another process migrates the store, and only reads gain from being kept.
      if (statement.reader && !text.includes("*")) kept.set(text, statement);
      return statement;
    },
  };
}

/** Lets other work use the one connection while a statement waits. */
interface Turn {
  take(): Promise<void>;
  give(): void;
}

/** Admits one user at a time, in order of arrival. */
function turnstile(): Turn {
  let isTaken = false;
  const waiting: (() => void)[] = [];
  return {
    async take() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
  };
}

const noTurn: Turn = { take: async () => undefined, give: () => undefined };

/** Retries work that meets a lock of another process, with pauses for all other work of this process. */
export async function whenUnlocked<T>(work: () => T, lockMsMax = LOCK_MS_MAX, turn: Turn = noTurn): Promise<T> {
  const lastAt = monotonicMs() + lockMsMax;
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || monotonicMs() >= lastAt) throw error;
    }
    turn.give();
    await sleep(pauseMs);
    await turn.take();
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

/**
 * Runs all migrations in one transaction, which SQLite supports although Kysely does not assume it: a crash leaves
 * nothing behind, and two processes that open a new folder at once wait for each other. The getter belongs to Kysely's
 * public interface `DialectAdapter`; the class saves writing the other five members.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
