import { setTimeout as sleep } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from "kysely";
import { LRUCache } from "lru-cache";
import { monotonicMs } from "../kit/clock.js";
import { entriesUpTo } from "../kit/entries-up-to.js";
import { type Turn, turnstile } from "../kit/turnstile.js";
import { commitGroups, type GroupBounds, type Member } from "./commit-groups.js";
import type { SqliteConnection } from "./node-sqlite.js";

/** Default of `lockMsMax`. */
export const LOCK_MS_MAX = 10_000;
const PAUSE_FIRST_MS = 2;
const PAUSE_MS_MAX = 50;

/** Limits of a group of transactions that share one commit (decision 0051). */
const GROUP_BOUNDS: GroupBounds = { membersMax: 64, msMax: 10 };

export interface SqliteLimits {
  /** Longest time that a statement waits for the write lock of another process. */
  readonly lockMsMax: number;
  readonly groups: GroupBounds;
}

/**
 * The Kysely dialect for SQLite, with `sqliteDriver` as its driver. The database must be opened with a busy timeout of
 * 0, because the driver itself waits for locks.
 */
export function sqliteDialect(database: SqliteConnection, limits: Partial<SqliteLimits> = {}): Dialect {
  const { lockMsMax = LOCK_MS_MAX, groups = GROUP_BOUNDS } = limits;
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => sqliteDriver(database, { lockMsMax, groups }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * Runs all statements on one connection, whose users take turns. Takes the write lock when a transaction begins,
 * because a deferred transaction that reads first and writes later would fail with SQLITE_BUSY, without waiting, if
 * another process wrote in between.
 *
 * Waits for the lock asynchronously, because SQLite's own busy timeout would block the whole process. Reads can use the
 * connection during this wait.
 *
 * Transactions and single writes form groups; each group shares one commit. A read that arrives while a group is open
 * joins that group, because the read may return rows that are not committed yet.
 */
function sqliteDriver(database: SqliteConnection, { lockMsMax, groups: bounds }: SqliteLimits): Driver {
  const turn = turnstile();
  const prepared = preparedStatements(database);
  const connection = {
    run: (statement: string): void => void prepared.of(statement).run([]),
    isInTransaction: () => database.inTransaction,
  };
  const groups = commitGroups(connection, turn, bounds);

  function session(): Session {
    let hasTurn = true;
    let member: Member | undefined;

    async function takeTurn(): Promise<void> {
      if (!hasTurn) await turn.take();
      hasTurn = true;
    }

    async function begin(): Promise<Member> {
      await takeTurn();
      member = await whenUnlocked(() => groups.begin(), lockMsMax, turn);
      return member;
    }

    /** Ends the transaction if there is one; after a failed commit there is none. */
    async function end(how: "commit" | "rollback"): Promise<void> {
      const ended = member;
      if (!ended) return;
      member = undefined;
      hasTurn = false;
      await ended[how]();
    }

    async function asMember<T>(statement: () => T): Promise<T> {
      const { run } = await begin();
      try {
        const result = run(statement);
        await end("commit");
        return result;
      } catch (error) {
        await end("rollback");
        throw error;
      }
    }

    return {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        const statement = (): QueryResult<R> => execution<R>(prepared, query);
        if (member) return member.run(statement);
        if (isWrite(query)) return asMember(statement);
        await takeTurn();
        const alone = await whenUnlocked(() => (groups.isOpen() ? undefined : statement()), lockMsMax, turn);
        return alone ?? asMember(statement);
      },
      async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
        const iterate = (): IterableIterator<unknown> => database.prepare(sql).iterate(parameters);
        if (!member) {
          await takeTurn();
          // The caller receives rows while they are read, so they must already be committed.
          groups.settle();
        }
        // The cast is needed, because the columns of the rows are known only at run time.
        for (const row of member ? member.run(iterate) : iterate()) yield { rows: [row as R] };
      },
      begin,
      end,
      release() {
        if (hasTurn) turn.give();
      },
    };
  }

  // The cast is safe, because Kysely passes back only the connections from `acquireConnection`.
  const sessionOf = (connection: DatabaseConnection): Session => connection as Session;
  return {
    init: async () => undefined,
    async acquireConnection() {
      await turn.take();
      return session();
    },
    async beginTransaction(connection) {
      await sessionOf(connection).begin();
    },
    commitTransaction: (connection) => sessionOf(connection).end("commit"),
    rollbackTransaction: (connection) => sessionOf(connection).end("rollback"),
    releaseConnection: async (connection) => sessionOf(connection).release(),
    async destroy() {
      groups.settle();
      database.close();
    },
  };
}

/**
 * One user's access to the connection, from `acquireConnection` to `releaseConnection`, and that user's transaction.
 */
interface Session extends DatabaseConnection {
  begin(): Promise<Member>;
  end(how: "commit" | "rollback"): Promise<void>;
  release(): void;
}

const WRITES: ReadonlySet<string> = new Set(["InsertQueryNode", "UpdateQueryNode", "DeleteQueryNode"]);

/** True for a write that the query builder made. Other statements join a group only if one is open. */
function isWrite({ query }: CompiledQuery): boolean {
  return WRITES.has(query.kind);
}

function execution<R>(prepared: PreparedStatements, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = prepared.of(sql);
  // The cast is needed, because the columns of the rows are known only at run time.
  if (statement.reader) return { rows: statement.all(parameters) as R[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
}

/** Keeps prepared statements by their SQL text, because preparing a statement takes as long as running it. */
interface PreparedStatements {
  of(text: string): SqliteStatement;
}

/** Maximum number of kept statements; the least recently used ones are dropped. */
const STATEMENTS_MAX = 200;

function preparedStatements(database: SqliteConnection): PreparedStatements {
  const kept = new LRUCache<string, SqliteStatement>(entriesUpTo(STATEMENTS_MAX));
  return {
    of(text) {
      const statement = kept.get(text) ?? database.prepare(text);
      // A statement with a `*` is not kept, because the columns of a `select *` change when another process migrates
      // the store.
      if (!text.includes("*")) kept.set(text, statement);
      return statement;
    },
  };
}

const noTurn: Turn = { take: async () => undefined, give: () => undefined };

/**
 * Calls `work` and, while it fails because of another process's lock, calls it again for at most `lockMsMax`. Between
 * the attempts, other users of the connection have their turn.
 */
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
 * Makes Kysely run all migrations in one transaction. SQLite supports this, although Kysely assumes that it does not.
 * A crash during the migrations therefore leaves the store as it was before them, and two processes that open a new
 * folder at the same time wait for each other. The getter belongs to Kysely's public interface `DialectAdapter`;
 * extending the class saves writing the other five members.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
