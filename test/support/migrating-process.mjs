// Migrates a store in a separate process, which kills itself at a statement. argv: number of the statement, data
// folder, and optionally a PostgreSQL address. If the number is even, the process hands the statement to the driver and
// then dies. If the number is odd, the process dies before it hands over the statement.
import BetterSqlite from "better-sqlite3";
import pg from "pg";
import { migrateServices } from "../../dist/database/migrate.js";
import { openDatabase } from "../../dist/database/open.js";
import { loadStores } from "../../dist/services/registry.js";

const [number, dataDir, url] = process.argv.slice(2);
const killAt = Number(number);
let statements = 0;

/** Wraps a driver method that runs or prepares one statement: counts it, and kills the process at number `killAt`. */
function counted(prototype, method) {
  const original = prototype[method];
  prototype[method] = function (...values) {
    statements += 1;
    if (statements < killAt) return original.apply(this, values);
    if (killAt % 2 === 0) original.apply(this, values);
    // The kill is synchronous, so nothing in this process runs after it.
    process.kill(process.pid, "SIGKILL");
    throw new Error("killed");
  };
}

const stores = await loadStores();
if (url) counted(pg.Client.prototype, "query");
else {
  const node = process.getBuiltinModule?.("node:sqlite");
  if (node) counted(node.DatabaseSync.prototype, "prepare");
  counted(BetterSqlite.prototype, "prepare");
}
const database = await openDatabase({ dataDir, ...(url && { url }) });
await migrateServices(database, stores);
await database.close();
