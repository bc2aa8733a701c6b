import type { DatabaseLocation } from "../database/database-location.js";
import type { Config } from "./config.js";

/** The location of the store according to the settings: PostgreSQL if its address is set, otherwise the data folder. */
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
