import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";

/** The longest waits for PostgreSQL. */
export interface PostgresLimits {
  /** For a connection, a free one of the pool or a new one. */
  readonly connectMs: number;
  /** For the answer to one statement. Read at every statement. */
  statementMs: number;
  /** For running statements when the pool is closed. */
  readonly closeMs: number;
}

/**
 * Wraps a pool so that it survives server failures. A lost connection fails only the statements on it. A statement that
 * exceeds its limit fails, and its connection is closed, because the answer could still arrive.
 */
export function limitedPool(pool: pg.Pool, limits: PostgresLimits): PostgresPool {
  const checkedOut = new Set<LimitedClient>();
  // Without a listener, a lost connection ends the process. Its statements still fail with the error.
  pool.on("connect", (client) => client.on("error", ignored));
  return {
    async connect() {
      const client = new LimitedClient(await pool.connect(), limits, (done) => checkedOut.delete(done));
      checkedOut.add(client);
      return client;
    },
    async end() {
      const late = setTimeout(() => {
        for (const client of checkedOut) client.cut(new Error("the connection was closed with the store"));
      }, limits.closeMs);
      try {
        await pool.end();
      } finally {
        clearTimeout(late);
      }
    },
  };
}

/** A statement that PostgreSQL did not answer in time. */
export class StatementTimeout extends Error {
  override readonly name = "StatementTimeout";
}

class LimitedClient implements PostgresPoolClient {
  private readonly client: pg.PoolClient;
  private readonly limits: PostgresLimits;
  private readonly onRelease: (self: LimitedClient) => void;
  /** The reason why the connection is unusable. */
  private cause: Error | undefined = undefined;

  constructor(client: pg.PoolClient, limits: PostgresLimits, onRelease: (self: LimitedClient) => void) {
    this.client = client;
    this.limits = limits;
    this.onRelease = onRelease;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    query: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof query !== "string") throw new Error("results are read whole here, not through cursors");
    return this.answerTo(query, values);
  }

  private async answerTo<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (this.cause) throw this.cause;
    const { statementMs } = this.limits;
    const late = setTimeout(
      () => this.cut(new StatementTimeout(`PostgreSQL did not answer within ${statementMs / 1_000} s`)),
      statementMs,
    );
    try {
      // The driver's types do not describe the rows of a statement, nor a restriction to these commands.
      return (await this.client.query(text, [...values])) as unknown as PostgresQueryResult<R>;
    } catch (error) {
      if (endsConnection(error)) this.cause ??= error;
      throw this.cause ?? error;
    } finally {
      clearTimeout(late);
    }
  }

  /** Fails running statements and all later ones. */
  cut(cause: Error): void {
    this.cause ??= cause;
    // With a running statement this destroys the socket, and resolves afterwards.
    void this.client.end().catch(ignored);
  }

  release(): void {
    this.onRelease(this);
    this.client.release(this.cause);
  }
}

/** True for an error that announces the end of the connection; it arrives before the end itself. */
function endsConnection(error: unknown): error is Error {
  return error instanceof Error && "severity" in error && (error.severity === "FATAL" || error.severity === "PANIC");
}

/** The statements of a connection already fail with its error. */
function ignored(): void {}
