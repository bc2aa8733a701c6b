import type { Command } from "commander";
import { checkStore, openStore, storeFailure, storeName } from "../app/open-store.js";
import { storeLocation } from "../app/store-location.js";
import type { DatabaseLocation } from "../database/database-location.js";
import { type MigrationState, migrateServices, migrationState, NewerStore } from "../database/migrate.js";
import { openUnmigrated } from "../database/open.js";
import type { RegisteredStore } from "../database/service-store.js";
import { say } from "./shared/output.js";
import { startUp } from "./shared/start-up.js";
import { CREATE, DEMO, dataDirOf, kindOf, noteStore, type StoreChoice } from "./shared/store-choice.js";

const EXAMPLES = `
Examples:
  vigil migrate --check     only list what this version would change
  vigil migrate             migrate the store; a service does the same at its start, unless VIGIL_MIGRATE=off

Back up the store first: the only way back is to restore a backup. Two processes may migrate at the same time; one waits
for the other. A migration that is interrupted leaves the store as it was, or continues at the next start.
Exit codes: 0 the store has the tables of this version; 1 refused or failed; 2 with --check: changes are pending.`;

/** Adds `vigil migrate`. */
export function addMigrate(root: Command, run: typeof migrate = migrate): void {
  root
    .command("migrate")
    .description("migrate the store to the tables of this version, or list what is pending")
    .option("--check", "only list what is pending")
    .option("--json", "as JSON")
    .option(...CREATE)
    .option(...DEMO)
    .addHelpText("after", EXAMPLES)
    .action((options: MigrateOptions) => run(options));
}

interface MigrateOptions extends StoreChoice {
  readonly check?: boolean;
  readonly json?: boolean;
}

async function migrate({ check = false, json = false, ...choice }: MigrateOptions): Promise<void> {
  const { config, services } = await startUp();
  const kind = kindOf(choice);
  const location = { ...storeLocation(config, dataDirOf(config, kind)), mayMigrate: true };
  await checkStore(location, kind, check ? undefined : (choice.create ?? false));
  noteStore(storeName(location));
  const { pending } = await stateOf(location, services.stores).catch((error: unknown) => {
    throw storeFailure(error, location);
  });
  if (!check && pending.length > 0) {
    const database = await openStore(location, kind);
    await migrateServices(database, services.stores)
      .catch((error: unknown) => {
        throw storeFailure(error, location);
      })
      .finally(() => database.close());
  }
  say(json ? JSON.stringify({ [check ? "pending" : "applied"]: pending }, null, 2) : stateText(pending, check));
  if (check && pending.length > 0) process.exitCode = 2;
}

/** Reads the pending migrations. Throws `NewerStore` for a store of a newer version. */
async function stateOf(location: DatabaseLocation, stores: readonly RegisteredStore[]): Promise<MigrationState> {
  const database = await openUnmigrated(location);
  try {
    const state = await migrationState(database, stores);
    const [unknown] = state.unknown;
    if (unknown !== undefined) throw new NewerStore(unknown);
    return state;
  } finally {
    await database.close();
  }
}

function stateText(pending: readonly string[], isCheck: boolean): string {
  if (pending.length === 0) return "The store has the tables of this version";
  return `${pending.length} ${isCheck ? "pending" : "applied"}:\n${pending.map((name) => `  ${name}`).join("\n")}`;
}
