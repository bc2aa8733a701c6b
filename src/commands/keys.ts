import type { Command } from "commander";
import { ConfigError } from "../app/config.js";
import { KeyName } from "../contract/access/account-texts.js";
import type { KeyCard } from "../contract/access/accounts.js";
import { OPERATOR_ACCOUNT } from "../contract/access/principal.js";
import { scopes as allScopes, isScope, type Scope } from "../contract/access/scopes.js";
import { DAY_MS } from "../kit/clock.js";
import { suggestion } from "../kit/nearest.js";
import { table } from "../kit/text-table.js";
import {
  addStoreCommand,
  commandLine,
  dayOf,
  JSON_OUTPUT,
  type ListChoice,
  listText,
  onAccounts,
  refuseInvalid,
} from "./shared/account-store.js";
import { helpText } from "./shared/help-text.js";
import { say } from "./shared/output.js";
import type { StoreChoice } from "./shared/store-choice.js";

const LIST_HELP = helpText({
  examples: [
    ["vigil keys", "the keys of the operator's account"],
    ["vigil keys acme --json | jq -r '.[] | select(.lastUsedAt == null) | .id'"],
    ['vigil keys create acme --name "nightly job"'],
  ],
});
const CREATE_HELP = helpText({
  examples: [
    ['key="$(vigil keys create acme --name "nightly job" --scopes read --days 90)"'],
    ["vigil keys create acme --scopes read,watches:read,watches:write"],
  ],
  remarks: "Prints only the key. A running service accepts it within a second.",
});
const REVOKE_HELP = helpText({
  examples: [["vigil keys revoke acme key_3f9c2a71d05b84e6c19af702"]],
  remarks: "A running service refuses the key within a second.",
});

/** Adds `vigil keys` with `create` and `revoke`. */
export function addKeys(root: Command, runs = { list, create, revoke }): void {
  const keys = addStoreCommand(root, "keys", "list the keys of an account; create or revoke a key")
    .argument("[account]", "id of the account; default: the operator's")
    .option(...JSON_OUTPUT)
    .addHelpText("after", LIST_HELP)
    .action((account: string | undefined, choice: ListChoice) => runs.list(account, choice));
  addStoreCommand(keys, "create", "create a key; it is printed only once")
    .argument("<account>", "id of the account")
    .option("--name <name>", "display name", "created on the command line")
    .option("--scopes <scopes>", "comma-separated scopes of the key", "read,account:write")
    .option("--days <days>", "days until the key expires; default: never")
    .addHelpText("after", CREATE_HELP)
    .action((account: string, options: CreateOptions) => runs.create(account, options));
  addStoreCommand(keys, "revoke", "revoke a key, with its sessions and tokens")
    .argument("<account>", "id of the account")
    .argument("<key>", "id of the key, as listed by `vigil keys`")
    .addHelpText("after", REVOKE_HELP)
    .action((account: string, key: string, choice: StoreChoice) => runs.revoke(account, key, choice));
}

async function list(account: string | undefined, choice: ListChoice): Promise<void> {
  const accountId = account ?? OPERATOR_ACCOUNT;
  const text = await onAccounts(choice, async ({ accounts }) => {
    if (!(await accounts.find(accountId))) {
      throw new ConfigError(`there is no account ${accountId}${suggestion(accountId, ["create", "revoke"])}`);
    }
    return listText(await accounts.keys(accountId), choice, keyTable);
  });
  say(text);
}

interface CreateOptions extends StoreChoice {
  readonly name: string;
  readonly scopes: string;
  readonly days?: string;
}

async function create(accountId: string, { name, scopes, days, ...choice }: CreateOptions): Promise<void> {
  refuseInvalid("--name", KeyName, name);
  const text = await onAccounts(choice, async ({ accounts, clock }) => {
    const expiresAt = days === undefined ? null : clock.now() + daysIn(days) * DAY_MS;
    const created = await accounts.createKey({ accountId, name, scopes: scopesIn(scopes), expiresAt }, commandLine);
    if (typeof created === "string") throw new ConfigError(`${accountId}: ${created}`);
    return created.key;
  });
  say(text);
}

async function revoke(account: string, keyId: string, choice: StoreChoice): Promise<void> {
  const text = await onAccounts(choice, async ({ accounts }) => {
    const card = await accounts.revokeKey(account, keyId, commandLine);
    if (!card) throw new ConfigError(`${account} has no key ${keyId}`);
    return `${card.id} (${card.name}) is revoked`;
  });
  say(text);
}

const DAYS_MAX = 36_500;

/** Parses a whole number of days from 1 to 36,500. Throws for any other text. */
export function daysIn(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= DAYS_MAX) return days;
  throw new ConfigError(`--days must be a whole number from 1 to ${DAYS_MAX}, got ${text}`);
}

/** Parses comma-separated scopes. Throws if one is unknown. */
export function scopesIn(text: string): ReadonlySet<Scope> {
  const names = text.split(",").map((scope) => scope.trim());
  const unknown = names.filter((scope) => !isScope(scope));
  if (unknown.length > 0) {
    throw new ConfigError(`no scope is called ${unknown.join(", ")}; the scopes are ${allScopes.join(", ")}`);
  }
  return new Set(names.filter(isScope));
}

function keyTable(cards: readonly KeyCard[]): string {
  return table(
    ["key", "name", "begins with", "scopes", "created", "expires", "last used", "revoked"],
    cards.map(({ id, name, hint, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }) => [
      id,
      name,
      hint,
      scopes.join(" "),
      dayOf(createdAt),
      dayOf(expiresAt),
      dayOf(lastUsedAt),
      dayOf(revokedAt),
    ]),
  );
}
