import type { Command } from "commander";
import type { TSchema } from "typebox";
import { type Accounts, accountsOf } from "../../access/accounts.js";
import { ConfigError } from "../../app/config.js";
import { violationsOf } from "../../contract/violations.js";
import type { OpenDatabase } from "../../database/open-database.js";
import { type Clock, systemClock } from "../../kit/clock.js";
import { oneLine } from "../../kit/one-line.js";
import { onStore } from "./on-store.js";
import { startUp } from "./start-up.js";
import { DEMO, type StoreChoice } from "./store-choice.js";

/** The accounts of an open store, whether or not a service runs on it. */
export interface OpenAccounts {
  readonly database: OpenDatabase;
  readonly accounts: Accounts;
  readonly clock: Clock;
}

/**
 * The actor of changes from the command line, for the audit log. A running service applies such changes within a
 * second.
 */
export const commandLine = { actor: "command line" };

/** Opens the chosen store for one command and closes it afterwards. */
export async function onAccounts(
  choice: StoreChoice,
  work: (open: OpenAccounts) => Promise<string>,
  clock: Clock = systemClock,
): Promise<string> {
  const { config } = await startUp();
  return onStore(config, choice, ({ database, kind }) => {
    const accounts = accountsOf(database, kind === "demo" ? "vgl_demo_" : "vgl_", clock.now);
    return work({ database, accounts, clock });
  });
}

/** Throws `ConfigError` for a text of an account or a key that the API refuses too. */
export function refuseInvalid(name: string, schema: TSchema, text: string): void {
  const [violation] = violationsOf(schema, text);
  if (violation !== undefined) throw new ConfigError(`${name} ${violation.description}, got "${oneLine(text)}"`);
}

/** The option `--json` of a command that prints a list. */
export const JSON_OUTPUT = ["--json", "as JSON"] as const;

/** The options of a command that lists items of the store. */
export interface ListChoice extends StoreChoice {
  readonly json?: boolean;
}

/** Formats the items of a list as JSON, or as the table that `tableOf` returns. */
export function listText<Item>(
  items: readonly Item[],
  { json }: ListChoice,
  tableOf: (items: readonly Item[]) => string,
): string {
  return json ? JSON.stringify(items, null, 2) : tableOf(items);
}

/**
 * Adds a command that works on the accounts of a store. `--demo` before the name of a subcommand applies to that
 * subcommand.
 */
export function addStoreCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option(...DEMO)
    .hook("preSubcommand", (of, subcommand) => {
      if (of.getOptionValue("demo")) subcommand.setOptionValue("demo", true);
    });
}

/** The UTC day of an instant, for a table; `-` if there is no instant. */
export function dayOf(at: number | null): string {
  return at === null ? "-" : new Date(at).toISOString().slice(0, 10);
}
