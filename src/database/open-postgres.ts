import { Kysely, type Dialect as KyselyDialect, PostgresDialect } from "kysely";
import type pg from "pg";
import { MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { once } from "../kit/once.js";
import { type DatabaseLocation, postgresDefaults } from "./database-location.js";
import type { OpenDatabase } from "./open-database.js";
import { type PostgresAddresses, postgresAddresses } from "./postgres-addresses.js";
import { limitedPool, type PostgresRules, type PostgresWaits } from "./postgres-pool.js";
import { readsRepeated } from "./repeated-reads.js";
import type { Database } from "./schema.js";

const PG_BIGINT_TYPE_ID = 20;
/** Idle time after which TCP probes whether the server is still there. */
const KEEP_ALIVE_AFTER_MS = 10 * SECOND_MS;
/** Longest time that running statements may delay the closing of the store. */
const CLOSE_MS_MAX = 5 * SECOND_MS;

/**
 * Limits for migrations, and for backups, restores and copies of a whole store. They are high, because another node may
 * be migrating, rows may have to be rewritten, and a restore or copy reads files between two statements.
 */
const PATIENT: PostgresWaits = { statementMs: 10 * MINUTE_MS, lockMs: 10 * MINUTE_MS, idleTransactionMs: 0 };

/**
 * The use of a connection. `server`: `any` if a read-only server is enough. `patient`: true to apply the time limits of
 * `PATIENT` instead of the configured ones.
 */
export interface PostgresUse {
  readonly server: "writable" | "any";
  readonly patient: boolean;
}

/** Creates a pool of connections. The first connection is opened for the first statement. */
export async function openPostgres(
  url: string,
  { postgres, onConnectionError }: Pick<DatabaseLocation, "onConnectionError" | "postgres">,
  use: PostgresUse,
): Promise<OpenDatabase> {
  const { default: driver } = await import("pg");
  const settings = { ...postgresDefaults, ...postgres };
  const { connectionsMax, connectMs, statementMs, lockMs, idleTransactionMs } = settings;
  const types = new driver.TypeOverrides();
  // Instants and counts fit a double; by default pg returns bigint as text.
  types.setTypeParser(PG_BIGINT_TYPE_ID, Number);
  const addresses = postgresAddresses(url);
  const pool = new driver.Pool({
    Client: clientOf(driver, addresses),
    types,
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  });
  pool.on("error", (error) => onConnectionError?.(error));
  const waits: PostgresWaits = { statementMs, lockMs, idleTransactionMs };
  const rules: PostgresRules = {
    waits: use.patient ? PATIENT : waits,
    closeMs: CLOSE_MS_MAX,
    isWritable: use.server === "writable",
  };
  const db = new Kysely<Database>({ dialect: repeatingDialect({ pool: limitedPool(pool, addresses, rules) }) });
  return {
    dialect: "postgres",
    db,
    async patiently(work) {
      const before = rules.waits;
      rules.waits = PATIENT;
      try {
        return await work();
      } finally {
        rules.waits = before;
      }
    },
    close: once(() => db.destroy()),
  };
}

/** Extends the driver's client so that each new client connects to the address that is current at that time. */
function clientOf(driver: typeof pg, addresses: PostgresAddresses): new () => pg.Client {
  return class extends driver.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: addresses.current() });
    }
  };
}

function repeatingDialect(config: ConstructorParameters<typeof PostgresDialect>[0]): KyselyDialect {
  const dialect = new PostgresDialect(config);
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => readsRepeated(dialect.createDriver()),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}
