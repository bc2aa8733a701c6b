import type { Command } from "commander";
import type { Config } from "../app/config.js";
import { storeFailure, storeName } from "../app/open-store.js";
import { storeLocation } from "../app/store-location.js";
import type { NamedStore, StoreCopy } from "../backup/copy-store.js";
import { addressesIn } from "../database/postgres-addresses.js";
import { systemClock } from "../kit/clock.js";
import { OperatorError } from "../kit/operator-error.js";
import { interruptible } from "./shared/interruptible.js";
import { note, say } from "./shared/output.js";
import { phaseProgress } from "./shared/phase-progress.js";
import { startUp } from "./shared/start-up.js";
import { dataDirOf } from "./shared/store-choice.js";

const EXAMPLES = `
Examples:
  vigil copy --from ./data --to env:DATABASE_URL                from SQLite to PostgreSQL
  vigil copy --from postgres://vigil@db/vigil --to ./data-new   and back
  vigil copy --from ./data --to /srv/vigil/data                 from folder to folder

A location is a data folder or the address of a database. An address with a password must be in an environment variable;
env:NAME reads the variable NAME. The keys of a store in PostgreSQL are files in VIGIL_DATA_DIR. The target must be empty,
and no service may run on the source. The target becomes a store only after all of it has been compared with the source;
after an interruption, run the command again.
Exit codes: 0 copied; 1 refused or failed, and the target is not a store;
2 copied, but the source has damaged bodies; 130 interrupted.`;

/** Adds `vigil copy`. */
export function addCopy(root: Command, run: typeof copy = copy): void {
  root
    .command("copy")
    .description("copy a whole store to an empty data folder or database")
    .requiredOption("--from <place>", "the store to copy")
    .requiredOption("--to <place>", "an empty data folder or database")
    .option("--json", "as JSON")
    .addHelpText("after", EXAMPLES)
    .action((options: CopyPlaces) => run(options));
}

interface CopyPlaces {
  readonly from: string;
  readonly to: string;
  readonly json?: boolean;
}

async function copy({ from: fromText, to: toText, json }: CopyPlaces): Promise<void> {
  const { config, services } = await startUp();
  const from = placeOf("--from", fromText, config, process.env);
  const to = placeOf("--to", toText, config, process.env);
  const { copyStore } = await import("../backup/copy-store.js");
  note(`Store: ${from.name}`);
  note(`Copy:  ${to.name}`);
  const progress = phaseProgress();
  const { keySecret } = config;
  const { stores } = services;
  const failureAt = (error: unknown, { location }: NamedStore): unknown => storeFailure(error, location);
  const copied = await interruptible("interrupted; nothing was copied", (signal) =>
    copyStore({ from, to, failureAt, keySecret, stores, clock: systemClock, onProgress: progress.show, signal }),
  ).finally(progress.end);
  say(json ? JSON.stringify(copied, null, 2) : copyText(copied));
  for (const contentHash of copied.damagedBodies) {
    note(
      `body ${contentHash.slice(0, 12)} is damaged or lost in the store; "vigil verify" lists the generations that need it`,
    );
  }
  if (copied.damagedBodies.length > 0) process.exitCode = 2;
}

const POSTGRES = /^postgres(?:ql)?:\/\//;

/**
 * Converts a location from the command line to a store. Throws an `OperatorError` if the location is empty, if it names
 * a variable that is not set, or if an address with a password is given directly instead of in a variable.
 */
export function placeOf(option: string, text: string, config: Config, env: NodeJS.ProcessEnv): NamedStore {
  const variable = text.startsWith("env:") ? text.slice("env:".length) : undefined;
  if (text === "" || variable === "") {
    throw new OperatorError(`${option} must name a store: a data folder, an address of a database, or env:NAME`);
  }
  const place = variable === undefined ? text : env[variable];
  if (place === undefined || place === "") throw new OperatorError(`${option} names ${variable}, which is not set`);
  if (!POSTGRES.test(place)) return named({ ...storeLocation(config, place), url: undefined });
  const hasPassword = addressesIn(place).some((address) => URL.canParse(address) && new URL(address).password !== "");
  if (variable === undefined && hasPassword) {
    throw new OperatorError(
      `${option} has a password, which other users can read in the list of processes; put the address into a variable and give ${option} env:NAME`,
    );
  }
  return named({ ...storeLocation(config, dataDirOf(config, "real")), url: place });
}

function named(location: NamedStore["location"]): NamedStore {
  return { location, name: storeName(location) };
}

function copyText({ kind, tables, rows, bodies }: StoreCopy): string {
  return `Copied ${rows} rows in ${tables} tables and ${bodies} bodies; \`vigil ${kind === "demo" ? "demo" : "serve"}\` starts the copy`;
}
