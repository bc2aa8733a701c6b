import { randomBytes } from "node:crypto";
import type { Kysely, Transaction } from "kysely";
import type { Account, CreatedKey, KeyCard, KeyRefusal, NewAccount, NewKey } from "../contract/access/accounts.js";
import type { PlanKey, PlanState } from "../contract/access/plans.js";
import { scopesOf, scopeText } from "../contract/access/scopes.js";
import type { OpenDatabase } from "../database/open-database.js";
import type { AccountRow, ApiKeyRow, Database } from "../database/schema.js";
import { accessChange } from "./access-change.js";
import { audit } from "./audit-log.js";
import { hashOfKey, type KeyPrefix, newKey } from "./key-format.js";

/** The reserved name of the key in `owner.key`. The name distinguishes this key from other keys of the operator. */
export const OWNER_KEY = "owner.key";

/** The author of a change, for the audit log. */
export interface Actor {
  readonly actor: string;
  readonly address?: string;
}

/** Maximum number of active keys per account, so that a stolen session cannot fill the store. */
const KEYS_MAX = 50;
/** Maximum number of keys in a list. */
const KEYS_SHOWN_MAX = 200;

/** Accounts and their keys. Every change is one transaction with its audit event. */
export interface Accounts {
  /** Lists at most `limit` accounts after the id `after`, in order of id. */
  list(page: { readonly after?: string; readonly limit: number }): Promise<readonly Account[]>;
  find(id: string): Promise<Account | undefined>;
  /** Creates an account. Returns undefined if the id is taken. */
  create(account: NewAccount, by: Actor): Promise<Account | undefined>;
  /** Sets the plan of an account and the state of the plan. Returns undefined if the account does not exist. */
  setPlan(id: string, plan: PlanKey, state: PlanState, by: Actor): Promise<Account | undefined>;
  /**
   * Lists the keys, newest first. If there are too many for the list, leaves out revoked keys first, then expired keys.
   * All active keys are listed, because their limit is below the maximum length of the list.
   */
  keys(accountId: string): Promise<readonly KeyCard[]>;
  /** Creates a key and returns it in full, which no later call does. If no key was created, returns the reason. */
  createKey(key: NewKey, by: Actor): Promise<CreatedKey | KeyRefusal>;
  /** Revokes a key of this account. Idempotent. Returns undefined if the account has no key of this id. */
  revokeKey(accountId: string, keyId: string, by: Actor): Promise<KeyCard | undefined>;
}

export function accountsOf({ db }: OpenDatabase, prefix: KeyPrefix, now: () => number): Accounts {
  return {
    async list({ after, limit }) {
      let query = db.selectFrom("account").selectAll().orderBy("id").limit(limit);
      if (after !== undefined) query = query.where("id", ">", after);
      return (await query.execute()).map(accountOf);
    },
    find: (id) => findAccount(db, id),
    create: ({ id = `acc_${randomBytes(10).toString("hex")}`, name, plan }, { actor, address }) =>
      accessChange(db, async (transaction) => {
        const at = now();
        const row = await transaction
          .insertInto("account")
          .values({ id, name, plan, plan_state: "active", created_at: at, updated_at: at })
          .onConflict((conflict) => conflict.column("id").doNothing())
          .returningAll()
          .executeTakeFirst();
        if (!row) return undefined;
        const event = { at, action: "account.created", actor, accountId: id, detail: { name, plan } } as const;
        await audit(transaction, { ...event, ...(address !== undefined && { address }) });
        return accountOf(row);
      }),
    setPlan: (id, plan, state, by) =>
      accessChange(db, (transaction) => changePlan(transaction, { id, plan, state }, by, now())),
    async keys(accountId) {
      const rows = await db
        .selectFrom("api_key")
        .selectAll()
        .where("account_id", "=", accountId)
        // Active keys come first, and all of them fit, because their limit is below the maximum length of the list.
        .orderBy((order) => order.case().when("revoked_at", "is", null).then(0).else(1).end())
        .orderBy((order) => order.case().when("expires_at", "<=", now()).then(1).else(0).end())
        .orderBy("created_at", "desc")
        .orderBy("id")
        .limit(KEYS_SHOWN_MAX)
        .execute();
      return rows.map(cardOf).toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
    },
    createKey: (keyRequest, by) =>
      accessChange(db, async (transaction) => {
        if (keyRequest.name === OWNER_KEY) return "reserved name";
        if (!(await findAccount(transaction, keyRequest.accountId))) return "no such account";
        const { count } = await transaction
          .selectFrom("api_key")
          .select((select) => select.fn.countAll<number>().as("count"))
          .where("account_id", "=", keyRequest.accountId)
          .where("revoked_at", "is", null)
          .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now())]))
          .executeTakeFirstOrThrow();
        if (Number(count) >= KEYS_MAX) return "too many keys";
        const key = newKey(prefix);
        const card = await insertKey(transaction, key, keyRequest, now(), by);
        return { key, card };
      }),
    revokeKey: (accountId, keyId, { actor, address }) =>
      accessChange(db, async (transaction) => {
        const own = transaction
          .selectFrom("api_key")
          .selectAll()
          .where("id", "=", keyId)
          .where("account_id", "=", accountId);
        const before = await own.executeTakeFirst();
        if (!before || before.revoked_at !== null) return before && cardOf(before);
        const at = now();
        const row = await transaction
          .updateTable("api_key")
          .set({ revoked_at: at })
          .where("id", "=", keyId)
          .returningAll()
          .executeTakeFirstOrThrow();
        const event = { at, action: "key.revoked", actor, accountId, subject: keyId } as const;
        await audit(transaction, { ...event, ...(address !== undefined && { address }) });
        return cardOf(row);
      }),
  };
}

export async function findAccount(on: Kysely<Database>, id: string): Promise<Account | undefined> {
  const row = await on.selectFrom("account").selectAll().where("id", "=", id).executeTakeFirst();
  return row && accountOf(row);
}

/** The plan to set, and the id of the account. */
interface PlanOf {
  readonly id: string;
  readonly plan: PlanKey;
  readonly state: PlanState;
}

/** Sets the plan of an account and stores the audit event. Returns undefined if the account does not exist. */
export async function changePlan(
  transaction: Transaction<Database>,
  { id, plan, state }: PlanOf,
  { actor, address }: Actor,
  at: number,
): Promise<Account | undefined> {
  const before = await findAccount(transaction, id);
  if (!before) return undefined;
  const row = await transaction
    .updateTable("account")
    .set({ plan, plan_state: state, updated_at: at })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const detail = { from: `${before.plan} ${before.planState}`, to: `${plan} ${state}` };
  const event = { at, action: "plan.changed", actor, accountId: id, detail } as const;
  await audit(transaction, { ...event, ...(address !== undefined && { address }) });
  return accountOf(row);
}

/** Stores a new key and its audit event. */
export async function insertKey(
  transaction: Transaction<Database>,
  key: string,
  { accountId, name, scopes, expiresAt }: NewKey,
  at: number,
  { actor, address }: Actor,
): Promise<KeyCard> {
  const key_hash = hashOfKey(key);
  const row = await transaction
    .insertInto("api_key")
    .values({
      id: keyIdOf(key_hash),
      key_hash,
      account_id: accountId,
      name,
      hint: hintOf(key),
      scopes: scopeText(scopes),
      created_at: at,
      expires_at: expiresAt,
      revoked_at: null,
      last_used_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const detail = { name, scopes: [...scopes], expiresAt };
  const event = { at, action: "key.created", actor, accountId, subject: row.id, detail } as const;
  await audit(transaction, { ...event, ...(address !== undefined && { address }) });
  return cardOf(row);
}

/** The id of a key: `key_` and the first 24 hex digits of its hash. The hash is not a credential. */
function keyIdOf(keyHash: string): string {
  return `key_${keyHash.slice(0, 24)}`;
}

const HINT_SECRET_CHARS = 4;

/**
 * Shortens a key to its prefix and the first characters of its secret. These are enough to recognise the key, and too
 * few to guess it.
 */
function hintOf(key: string): string {
  const secretAt = key.lastIndexOf("_") + 1;
  return `${key.slice(0, secretAt + HINT_SECRET_CHARS)}…`;
}

function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    name: row.name,
    // The casts are safe, because the service writes only plans and plan states to these columns.
    plan: row.plan as PlanKey,
    planState: row.plan_state as PlanState,
    createdAt: row.created_at,
  };
}

function cardOf(row: ApiKeyRow): KeyCard {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    hint: row.hint,
    scopes: [...scopesOf(row.scopes)],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
