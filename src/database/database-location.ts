import { MINUTE_MS, SECOND_MS } from "../kit/clock.js";

/** Location of the store: PostgreSQL if `url` is set, otherwise one SQLite file in `dataDir`. */
export interface DatabaseLocation {
  readonly url?: string | undefined;
  readonly dataDir: string;
  /** Called when PostgreSQL drops an idle connection. */
  readonly onConnectionError?: (error: Error) => void;
  /** If false, a store that needs migrations is refused and not migrated. Default true. */
  readonly mayMigrate?: boolean;
  /** The values that differ from `postgresDefaults`. */
  readonly postgres?: Partial<PostgresSettings>;
}

/** Limits for the use of a PostgreSQL server. Times are in ms. */
export interface PostgresSettings {
  /** Maximum number of connections per pool. */
  readonly connectionsMax: number;
  /** Longest wait for a connection, whether a free one from the pool or a new one. */
  readonly connectMs: number;
  /** Longest wait for the answer to one statement. */
  readonly statementMs: number;
  /** Longest wait for a lock that another transaction holds. */
  readonly lockMs: number;
  /** Longest pause between two statements of a transaction. */
  readonly idleTransactionMs: number;
}

export const postgresDefaults: PostgresSettings = {
  connectionsMax: 8,
  connectMs: 5 * SECOND_MS,
  statementMs: 15 * SECOND_MS,
  lockMs: 10 * SECOND_MS,
  idleTransactionMs: MINUTE_MS,
};
