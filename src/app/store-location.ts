import type { DatabaseLocation } from "../database/database-location.js";
import type { Config } from "./config.js";

/** The place of the store by the settings: PostgreSQL if there is an address, otherwise the data folder. */
export function storeLocation(config: Config, dataDir: string): DatabaseLocation {
  return {
    url: config.databaseUrl,
    dataDir,
    mayMigrate: config.migrate,
    postgres: {
      connectionsMax: config.postgresConnections,
      connectMs: config.postgresConnectMs,
      statementMs: config.postgresStatementMs,
      lockMs: config.postgresLockMs,
      idleTransactionMs: config.postgresIdleMs,
    },
  };
}
