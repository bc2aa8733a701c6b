import type { Command } from "commander";
import type { Accounts } from "../access/accounts.js";
import { ConfigError } from "../app/config.js";
import { AccountName, NewAccountId } from "../contract/access/account-texts.js";
import type { Account } from "../contract/access/accounts.js";
import {
  isPlanKey,
  isPlanState,
  type PlanKey,
  type PlanState,
  planKeys,
  planStates,
} from "../contract/access/plans.js";
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
import { CREATE, type StoreChoice } from "./shared/store-choice.js";

const LIST_HELP = helpText({
  examples: [
    ["vigil accounts"],
    ["vigil accounts --json | jq -r '.[] | select(.planState == \"lapsed\") | .id'"],
    ["vigil accounts create Acme --plan business"],
  ],
});
const CREATE_HELP = helpText({
  examples: [['account="$(vigil accounts create Acme --plan business)"'], ["vigil accounts create Acme --id acme"]],
});
const PLAN_HELP = helpText({
  examples: [["vigil accounts plan acme pro"], ["vigil accounts plan acme pro --state lapsed"]],
  remarks: "A running service applies the plan within a second.",
});

/** Adds `vigil accounts` with `create` and `plan`. */
export function addAccounts(root: Command, runs = { list, create, plan }): void {
  const accounts = addStoreCommand(root, "accounts", "list accounts, create one, change a plan")
    .option(...JSON_OUTPUT)
    .addHelpText("after", LIST_HELP)
    .action((choice: ListChoice) => runs.list(choice));
  addStoreCommand(accounts, "create", "create an account; prints its id")
    .argument("<name>", "display name")
    .option("--plan <plan>", "free, pro, starter, business or enterprise", "starter")
    .option("--id <id>", "id of the account; default: a random one")
    .option(...CREATE)
    .addHelpText("after", CREATE_HELP)
    .action((name: string, options: CreateOptions) => runs.create(name, options));
  addStoreCommand(accounts, "plan", "change the plan of an account")
    .argument("<account>", "id of the account")
    .argument("<plan>", "free, pro, starter, business or enterprise")
    .option("--state <state>", "active, lapsed or renewal-pending", "active")
    .addHelpText("after", PLAN_HELP)
    .action((account: string, planName: string, options: PlanOptions) => runs.plan(account, planName, options));
}

async function list(choice: ListChoice): Promise<void> {
  say(await onAccounts(choice, async ({ accounts }) => listText(await everyAccount(accounts), choice, accountTable)));
}

function accountTable(accounts: readonly Account[]): string {
  return table(
    ["account", "name", "plan", "state", "created"],
    accounts.map(({ id, name, plan: planName, planState, createdAt }) => [
      id,
      name,
      planName,
      planState,
      dayOf(createdAt === 0 ? null : createdAt),
    ]),
  );
}

interface CreateOptions extends StoreChoice {
  readonly plan: string;
  readonly id?: string;
}

async function create(name: string, { plan: planName, id, ...choice }: CreateOptions): Promise<void> {
  refuseInvalid("the name", AccountName, name);
  if (id !== undefined) refuseInvalid("--id", NewAccountId, id);
  const text = await onAccounts({ create: false, ...choice }, async ({ accounts }) => {
    const key = planKeyIn(planName);
    const account = await accounts.create({ name, plan: key, ...(id !== undefined && { id }) }, commandLine);
    if (!account) throw new ConfigError(`the account ${id} already exists`);
    return account.id;
  });
  say(text);
}

interface PlanOptions extends StoreChoice {
  readonly state: string;
}

async function plan(account: string, planName: string, { state, ...choice }: PlanOptions): Promise<void> {
  const text = await onAccounts(choice, async ({ accounts }) => {
    const changed = await accounts.setPlan(account, planKeyIn(planName), planStateIn(state), commandLine);
    if (!changed) throw new ConfigError(`there is no account ${account}`);
    return `${changed.id}: ${changed.plan}, ${changed.planState}`;
  });
  say(text);
}

function planKeyIn(text: string): PlanKey {
  if (isPlanKey(text)) return text;
  throw new ConfigError(`no plan is called ${text}; the plans are ${planKeys.join(", ")}`);
}

function planStateIn(text: string): PlanState {
  if (isPlanState(text)) return text;
  throw new ConfigError(`no state is called ${text}; the states are ${planStates.join(", ")}`);
}

const PAGE = 1_000;

async function everyAccount(accounts: Accounts): Promise<readonly Account[]> {
  const all: Account[] = [];
  let page: readonly Account[] = [];
  do {
    const last = page.at(-1)?.id;
    page = await accounts.list({ ...(last !== undefined && { after: last }), limit: PAGE });
    all.push(...page);
  } while (page.length === PAGE);
  return all;
}
