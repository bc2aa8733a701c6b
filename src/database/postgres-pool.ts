import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import type pg from "pg";

/** The longest waits for PostgreSQL. */
export interface PostgresLimits {
  /** For a connection, a free one of the pool or a new one. */
  readonly connectMs: number;
  /** For the answer to one statement. Read again at every statement. */
  statementMs: number;
  /** For the statements under way when the pool is closed. */
  readonly closeMs: number;
}

/**
 * A pool that outlives its server. A lost connection fails the statements on it and nothing else. A statement that is
 * not answered within its limit fails, and its connection is cut, because the answer could still come.
 */
export function limitedPool(pool: pg.Pool, limits: PostgresLimits): PostgresPool {
  const checkedOut = new Set<LimitedClient>();
  // A client without a listener ends the process when its connection is lost. Its statements are told all the same.
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
  /** Why the connection cannot be used any more. */
  private cause: Error | undefined = undefined;

  constructor(client: pg.PoolClient, limits: PostgresLimits, onRelease: (self: LimitedClient) => void) {
    this.client = client;
    this.limits = limits;
    this.onRelease = onRelease;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    asked: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof asked !== "string") throw new Error("results are read whole here, not through cursors");
    return this.answerTo(asked, values);
  }

  private async answerTo<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    if (this.cause) throw this.cause;
    const { statementMs } = this.limits;
    const late = setTimeout(
      () => this.cut(new StatementTimeout(`PostgreSQL did not answer within ${statementMs / 1_000} s`)),
      statementMs,
    );
    try {
      // The driver knows neither the rows of a statement nor that these are all the commands there are.
      return (await this.client.query(text, [...values])) as unknown as PostgresQueryResult<R>;
    } catch (error) {
      if (endsConnection(error)) this.cause ??= error;
      throw this.cause ?? error;
    } finally {
      clearTimeout(late);
    }
  }

  /** Fails what is under way and everything after it. */
  cut(cause: Error): void {
    this.cause ??= cause;
    // With a statement under way this destroys the socket. It resolves when that has happened.
    void this.client.end().catch(ignored);
  }

  release(): void {
    this.onRelease(this);
    this.client.release(this.cause);
  }
}

/** True for an error with which the server ends the connection: it arrives before the end itself does. */
function endsConnection(error: unknown): error is Error {
  return error instanceof Error && "severity" in error && (error.severity === "FATAL" || error.severity === "PANIC");
}

/** The statements of a connection fail with its error; there is nobody else to tell. */
function ignored(): void {}
