import { type Account, type Accounts, accountsOf, type KeyCard, OPERATOR_ACCOUNT } from "../access/accounts.js";
import { auditEvents } from "../access/audit-log.js";
import { isPlanKey, isPlanState, planKeys, planStates } from "../access/plans.js";
import { isScope, type Scope, scopes } from "../access/scopes.js";
import { type Config, ConfigError } from "../app/config.js";
import { checkStore, openStore, storeName } from "../app/open-store.js";
import { table } from "../cli/table.js";
import type { OpenDatabase } from "../database/open.js";
import type { StoreKind } from "../database/store-mark.js";
import { type Clock, DAY_MS } from "../kit/clock.js";
import { suggestion } from "../kit/nearest.js";

/** Where the accounts are: the store itself, whether or not a service runs on it. */
export interface AccountStore {
  readonly config: Config;
  readonly dataDir: string;
  readonly kind: StoreKind;
  readonly clock: Clock;
  /** Makes the store where there is none. */
  readonly mayCreate: boolean;
  /** Told the name of the store before anything is done with it. */
  readonly onStore: (name: string) => void;
}

const by = { actor: "command line" };

/** What the commands on accounts, keys and plans print. Changes are seen by a running service within a second. */
export const accountCommands = {
  accounts: (store: AccountStore) =>
    on(store, async ({ accounts }) =>
      table(
        ["account", "name", "plan", "state", "created"],
        (await everyAccount(accounts)).map(({ id, name, plan, planState, createdAt }) => [
          ...[id, name, plan, planState],
          dayOf(createdAt === 0 ? null : createdAt),
        ]),
      ),
    ),

  createAccount: (store: AccountStore, name: string, { plan, id }: { readonly plan: string; readonly id?: string }) =>
    on(store, async ({ accounts }) => {
      if (!isPlanKey(plan)) throw new ConfigError(`no plan is called ${plan}; there are ${planKeys.join(", ")}`);
      const account = await accounts.create({ name, plan, ...(id !== undefined && { id }) }, by);
      if (!account) throw new ConfigError(`there is an account ${id} already`);
      return account.id;
    }),

  setPlan: (store: AccountStore, account: string, plan: string, { state }: { readonly state: string }) =>
    on(store, async ({ accounts }) => {
      if (!isPlanKey(plan)) throw new ConfigError(`no plan is called ${plan}; there are ${planKeys.join(", ")}`);
      if (!isPlanState(state)) throw new ConfigError(`no state is called ${state}; there are ${planStates.join(", ")}`);
      const changed = await accounts.setPlan(account, plan, state, by);
      if (!changed) throw new ConfigError(`there is no account ${account}`);
      return `${changed.id}: ${changed.plan}, ${changed.planState}`;
    }),

  keys: (store: AccountStore, account = OPERATOR_ACCOUNT) =>
    on(store, async ({ accounts }) => {
      if (!(await accounts.find(account))) {
        throw new ConfigError(`there is no account ${account}${suggestion(account, ["create", "revoke"])}`);
      }
      return keyTable(await accounts.keys(account));
    }),

  createKey: (store: AccountStore, account: string, asked: AskedKey) =>
    on(store, async ({ accounts }) => {
      const expiresAt = asked.days === undefined ? null : store.clock.now() + daysOf(asked.days) * DAY_MS;
      const wanted = { accountId: account, name: asked.name, scopes: scopesIn(asked.scopes), expiresAt };
      const made = await accounts.createKey(wanted, by);
      if (typeof made === "string") throw new ConfigError(`${account}: ${made}`);
      return made.key;
    }),

  revokeKey: (store: AccountStore, account: string, keyId: string) =>
    on(store, async ({ accounts }) => {
      const card = await accounts.revokeKey(account, keyId, by);
      if (!card) throw new ConfigError(`${account} has no key ${keyId}`);
      return `${card.id} (${card.name}) is revoked`;
    }),

  audit: (store: AccountStore, { limit }: { readonly limit: string }) =>
    on(store, async ({ database }) => {
      if (!/^[1-9]\d{0,3}$/.test(limit)) throw new ConfigError(`--limit must be from 1 to 9999, got ${limit}`);
      const events = await auditEvents(database.db, { limit: Number(limit) });
      const rows = events.map(({ at, action, actor, accountId, subject, address, detail }) => [
        ...[new Date(at).toISOString(), action, actor, accountId ?? "-", subject ?? "-", address ?? "-"],
        JSON.stringify(detail),
      ]);
      return table(["at", "action", "by", "account", "subject", "from", "detail"], rows);
    }),
};

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

const DAYS_MAX = 36_500;

function daysOf(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= DAYS_MAX) return days;
  throw new ConfigError(`--days must be a whole number from 1 to ${DAYS_MAX}, got ${text}`);
}

interface AskedKey {
  readonly name: string;
  readonly scopes: string;
  readonly days?: string;
}

async function on(
  { config, dataDir, kind, clock, mayCreate, onStore }: AccountStore,
  work: (open: { readonly database: OpenDatabase; readonly accounts: Accounts }) => Promise<string>,
): Promise<string> {
  const location = { url: config.databaseUrl, dataDir };
  await checkStore(location, kind, mayCreate);
  const database = await openStore(location, kind);
  onStore(storeName(location));
  try {
    const accounts = accountsOf(database, kind === "demo" ? "vgl_demo_" : "vgl_", clock.now);
    return await work({ database, accounts });
  } finally {
    await database.close();
  }
}

function scopesIn(text: string): ReadonlySet<Scope> {
  const named = text.split(",").map((scope) => scope.trim());
  const unknown = named.filter((scope) => !isScope(scope));
  if (unknown.length > 0)
    throw new ConfigError(`no scope is called ${unknown.join(", ")}; there are ${scopes.join(", ")}`);
  return new Set(named.filter(isScope));
}

function keyTable(cards: readonly KeyCard[]): string {
  return table(
    ["key", "name", "begins", "scopes", "created", "expires", "last used", "revoked"],
    cards.map(({ id, name, hint, scopes: carried, createdAt, expiresAt, lastUsedAt, revokedAt }) => [
      ...[id, name, hint, carried.join(" ")],
      ...[createdAt, expiresAt, lastUsedAt, revokedAt].map(dayOf),
    ]),
  );
}

function dayOf(at: number | null): string {
  return at === null ? "-" : new Date(at).toISOString().slice(0, 10);
}
