import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";
import type { PostgresAddresses } from "./postgres-addresses.js";

/**
 * The longest waits for PostgreSQL, in ms. 0 means no limit for `lockMs` and `idleTransactionMs`; `statementMs` must be
 * above 0.
 */
export interface PostgresWaits {
  /** Longest wait for the answer to one statement. */
  readonly statementMs: number;
  /** Longest wait for a lock that another transaction holds. */
  readonly lockMs: number;
  /** Longest wait for the next statement of an open transaction. After this wait, the server closes the connection. */
  readonly idleTransactionMs: number;
}

/** The rules by which a pool uses its server. */
export interface PostgresRules {
  /** The waits for statements that begin from now on. Connections adopt them at their next use. */
  waits: PostgresWaits;
  /** Longest wait for running statements when the pool is closed. */
  readonly closeMs: number;
  /** True if the server must accept writes. False for read-only commands, which may use a standby. */
  readonly isWritable: boolean;
}

/**
 * Wraps a pool so that it survives server failures. If a connection is lost, only its own statements fail. A statement
 * that exceeds its limit fails. If the server does not end the statement, its connection is closed: otherwise, the late
 * answer could reach the next user of the connection. If a server cannot be reached, or refuses writes although the
 * rules require them, the pool moves on to the next address.
 */
export function limitedPool(pool: pg.Pool, addresses: PostgresAddresses, rules: PostgresRules): PostgresPool {
  const checkedOut = new Set<LimitedClient>();
  const sessions = new WeakMap<pg.PoolClient, PostgresWaits>();
  // Without a listener, the error of a lost connection would end the process. The statements on the connection still
  // fail with this error.
  pool.on("connect", (client) => client.on("error", ignored));

  async function connectOnce(): Promise<LimitedClient> {
    const raw = await pool.connect();
    const client = new LimitedClient(raw, rules, (done) => checkedOut.delete(done));
    checkedOut.add(client);
    try {
      const { waits } = rules;
      if (sessions.get(raw) !== waits) {
        await client.prepare(waits);
        sessions.set(raw, waits);
      }
      return client;
    } catch (error) {
      client.cut(error instanceof Error ? error : new Error(String(error)));
      client.release();
      throw error;
    }
  }

  return {
    async connect() {
      for (let attempt = 1; ; attempt += 1) {
        const tried = addresses.current();
        try {
          return await connectOnce();
        } catch (error) {
          if (isOfAddress(error)) addresses.leave(tried);
          if (attempt >= addresses.count || !isOfAddress(error)) throw error;
        }
      }
    },
    async end() {
      const late = setTimeout(() => {
        for (const client of checkedOut)
          client.cut(new Error("the connection was closed, because the store was closed"));
      }, rules.closeMs);
      try {
        await pool.end();
      } finally {
        clearTimeout(late);
      }
    },
  };
}

/** Thrown for a statement that PostgreSQL did not answer in time. */
export class StatementTimeout extends Error {
  override readonly name = "StatementTimeout";
}

/** Thrown for a server that rejects writes, such as a standby. `code` is the code of a rejected write. */
export class ReadOnlyServer extends Error {
  override readonly name = "ReadOnlyServer";
  readonly code = READ_ONLY;
}

function timeout(statementMs: number, cause?: unknown): StatementTimeout {
  return new StatementTimeout(`PostgreSQL did not answer within ${statementMs / 1_000} s`, { cause });
}

/** PostgreSQL's code for a cancelled statement, here one that exceeded its time limit. */
const CANCELLED = "57014";
/** PostgreSQL's code for a write on a read-only server or in a read-only transaction. */
const READ_ONLY = "25006";

/** The client closes the connection if a statement has no answer after `statementMs` times this factor. */
const CLIENT_GRACE = 1.25;

class LimitedClient implements PostgresPoolClient {
  private readonly client: pg.PoolClient;
  private readonly rules: PostgresRules;
  private readonly onRelease: (self: LimitedClient) => void;
  /** The reason why the connection is unusable. */
  private cause: Error | undefined = undefined;

  constructor(client: pg.PoolClient, rules: PostgresRules, onRelease: (self: LimitedClient) => void) {
    this.client = client;
    this.rules = rules;
    this.onRelease = onRelease;
  }

  /**
   * Sets the limits of this connection on the server. Throws if the rules need a writable server and this one refuses
   * writes.
   */
  async prepare({ statementMs, lockMs, idleTransactionMs }: PostgresWaits): Promise<void> {
    // Sent as statements, because common poolers reject start-up parameters.
    const { rows } = await this.answerTo<{ read_only: string }>(
      `select set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
        set_config('idle_in_transaction_session_timeout', $3, false),
        current_setting('transaction_read_only') as read_only`,
      [`${statementMs}`, `${lockMs}`, `${idleTransactionMs}`],
    );
    if (!this.rules.isWritable || rows[0]?.read_only !== "on") return;
    throw new ReadOnlyServer("the PostgreSQL server takes no writes; it is a standby or set to read only");
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    query: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof query !== "string") throw new Error("cursors are not supported; every result is read as a whole");
    return this.answerTo(query, values);
  }

  private async answerTo<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (this.cause) throw this.cause;
    const { statementMs } = this.rules.waits;
    const late = setTimeout(() => this.cut(timeout(statementMs)), statementMs * CLIENT_GRACE);
    try {
      // The cast is safe, because the statement determines the rows and the command of its result. The driver's types
      // describe neither.
      return (await this.client.query(text, [...values])) as unknown as PostgresQueryResult<R>;
    } catch (error) {
      if (this.cause === undefined && codeOf(error) === CANCELLED) throw timeout(statementMs, error);
      if (endsConnection(error) || (this.rules.isWritable && codeOf(error) === READ_ONLY))
        this.cause ??= error as Error;
      throw this.cause ?? error;
    } finally {
      clearTimeout(late);
    }
  }

  /** Makes running statements and all later ones fail. */
  cut(cause: Error): void {
    this.cause ??= cause;
    // If a statement is running, `end` destroys the socket and then resolves.
    void this.client.end().catch(ignored);
  }

  release(): void {
    this.onRelease(this);
    this.client.release(this.cause);
  }
}

/** True for an error that announces the end of the connection. The error arrives before the connection ends. */
function endsConnection(error: unknown): error is Error {
  return error instanceof Error && "severity" in error && (error.severity === "FATAL" || error.severity === "PANIC");
}

/**
 * Socket and DNS errors, and PostgreSQL's codes for a failed connection (08), for a server that is starting or stopping
 * (57P0), and for a rejected write (25006).
 */
const OF_ADDRESS = /^(?:E(?:CONN|HOST|NET|TIMEDOUT|NOTFOUND|AI_|PIPE)|08|57P0|25006)/;

/** Returns true for a connection failure that a connection to another server may avoid. */
function isOfAddress(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOfAddress);
  if (error instanceof StatementTimeout) return true;
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && error.message.startsWith("Connection terminated");
  return OF_ADDRESS.test(code);
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

/** Ignores the error of a connection, because the statements on it already fail with that error. */
function ignored(): void {}
