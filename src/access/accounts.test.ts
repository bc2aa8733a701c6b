import { Migrator, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { describeEachStore, type OpenStore } from "../../test/support/stores.js";
import type { NewKey } from "../contract/access/accounts.js";
import { OPERATOR_ACCOUNT } from "../contract/access/principal.js";
import { everyScope, type Scope } from "../contract/access/scopes.js";
import { migrationProvider } from "../database/migrations.js";
import type { OpenDatabase } from "../database/open-database.js";
import { type ManualClock, manualClock } from "../kit/manual-clock.js";
import { type Accounts, accountsOf } from "./accounts.js";
import { auditEvents } from "./audit-log.js";
import { credentialStore } from "./credential-store.js";
import { hashOfKey, isWellFormedKey, newKey } from "./key-format.js";

const NOW = Date.UTC(2026, 10, 18, 12);
const LATER = NOW + 5_000;
const KEYS_MAX = 50;
const by = { actor: "key_maker", address: "192.0.2.1" };
const byCommand = { actor: "command line" };

interface Opened extends OpenStore {
  readonly accounts: Accounts;
  readonly clock: ManualClock;
}

const wantedKey = (accountId: string, changes: Partial<NewKey> = {}): NewKey => ({
  accountId,
  name: "a key",
  scopes: new Set<Scope>(["read"]),
  expiresAt: null,
  ...changes,
});

/** Creates a key. If it is refused, fails the test with the reason. */
async function madeKey(accounts: Accounts, keyRequest: NewKey, actor = by) {
  const created = await accounts.createKey(keyRequest, actor);
  if (typeof created === "string") throw new Error(created);
  return created;
}

const eventsOf = async ({ db }: OpenDatabase) =>
  (await auditEvents(db, { limit: 100 })).map(({ id: _, ...event }) => event);
const keyRows = ({ db }: OpenDatabase) => db.selectFrom("api_key").selectAll().execute();

await describeEachStore((openStore) => {
  async function open(): Promise<Opened> {
    const store = await openStore();
    const clock = manualClock(NOW);
    return { ...store, clock, accounts: accountsOf(store.database, "vgl_", clock.now) };
  }

  async function openWithAccount(): Promise<Opened> {
    const opened = await open();
    await opened.accounts.create({ id: "acc_a", name: "A", plan: "starter" }, by);
    return opened;
  }

  describe("accounts", () => {
    test("a new store has only the operator's account", async () => {
      const { accounts } = await open();
      expect(await accounts.list({ limit: 100 })).toEqual([
        { id: OPERATOR_ACCOUNT, name: "Operator", plan: "enterprise", planState: "active", createdAt: 0 },
      ]);
    });

    test("a new account is active and can be found by id and in the list", async () => {
      const { accounts, database } = await open();
      const created = await accounts.create({ id: "acc_a", name: "Ärzte & Co", plan: "business" }, by);
      const expected = { id: "acc_a", name: "Ärzte & Co", plan: "business", planState: "active", createdAt: NOW };
      expect(created).toEqual(expected);
      expect(await accounts.find("acc_a")).toEqual(expected);
      expect((await accounts.list({ limit: 100 })).map(({ id }) => id)).toEqual(["acc_a", OPERATOR_ACCOUNT]);
      expect(await eventsOf(database)).toEqual([
        {
          at: NOW,
          action: "account.created",
          ...by,
          accountId: "acc_a",
          detail: { name: "Ärzte & Co", plan: "business" },
        },
      ]);
    });

    test("the list of accounts is paged, in order of id", async () => {
      const { accounts } = await open();
      for (const id of ["c", "a", "b"]) await accounts.create({ id, name: id, plan: "pro" }, by);
      const idsOf = async (page: { readonly after?: string; readonly limit: number }) =>
        (await accounts.list(page)).map(({ id }) => id);
      expect(await idsOf({ limit: 2 })).toEqual(["a", "b"]);
      expect(await idsOf({ after: "b", limit: 2 })).toEqual(["c", "operator"]);
      expect(await idsOf({ after: "operator", limit: 2 })).toEqual([]);
    });

    test("an account created without an id gets a new id", async () => {
      const { accounts } = await open();
      const created = [
        await accounts.create({ name: "same", plan: "free" }, byCommand),
        await accounts.create({ name: "same", plan: "free" }, byCommand),
      ].map((account) => account?.id);
      expect(new Set(created).size).toBe(2);
      for (const id of created) expect(id).toMatch(/^acc_[0-9a-f]{20}$/);
    });

    test("creating an account with a taken id changes nothing and writes no event", async () => {
      const { accounts, database } = await openWithAccount();
      const before = await eventsOf(database);
      expect(await accounts.create({ id: "acc_a", name: "another", plan: "enterprise" }, by)).toBeUndefined();
      expect(await accounts.create({ id: OPERATOR_ACCOUNT, name: "another", plan: "free" }, by)).toBeUndefined();
      expect(await accounts.find("acc_a")).toMatchObject({ name: "A", plan: "starter" });
      expect(await accounts.find(OPERATOR_ACCOUNT)).toMatchObject({ name: "Operator", plan: "enterprise" });
      expect(await eventsOf(database)).toEqual(before);
    });

    test("a lookup of an unknown account returns undefined", async () => {
      const { accounts } = await open();
      expect(await accounts.find("acc_nobody")).toBeUndefined();
    });

    test("the event of a plan change has the old and the new plan", async () => {
      const { accounts, clock, database } = await openWithAccount();
      clock.set(LATER);
      const changed = await accounts.setPlan("acc_a", "business", "renewal-pending", byCommand);
      expect(changed).toMatchObject({ id: "acc_a", plan: "business", planState: "renewal-pending", createdAt: NOW });
      expect(await accounts.find("acc_a")).toEqual(changed);
      const [newest] = await eventsOf(database);
      expect(newest).toEqual({
        at: LATER,
        action: "plan.changed",
        actor: "command line",
        accountId: "acc_a",
        detail: { from: "starter active", to: "business renewal-pending" },
      });
    });

    test("a plan change of one account does not affect others", async () => {
      const { accounts } = await openWithAccount();
      await accounts.create({ id: "acc_b", name: "B", plan: "pro" }, by);
      await accounts.setPlan("acc_a", "free", "lapsed", by);
      expect(await accounts.find("acc_b")).toMatchObject({ plan: "pro", planState: "active" });
    });

    test("a plan change of an unknown account returns undefined and writes no event", async () => {
      const { accounts, database } = await open();
      expect(await accounts.setPlan("acc_nobody", "free", "active", by)).toBeUndefined();
      expect(await eventsOf(database)).toEqual([]);
    });
  });

  describe("keys", () => {
    test("a new key is shown once; only its hash and its first characters are stored", async () => {
      const { accounts, database } = await openWithAccount();
      const expiresAt = NOW + 86_400_000;
      const scopes = new Set<Scope>(["company_monitoring:read", "read"]);
      const { key, card } = await madeKey(accounts, wantedKey("acc_a", { name: "mine", scopes, expiresAt }));
      expect(isWellFormedKey(key)).toBe(true);
      expect(card).toEqual({
        id: `key_${hashOfKey(key).slice(0, 24)}`,
        accountId: "acc_a",
        name: "mine",
        hint: `${key.slice(0, 8)}…`,
        scopes: expect.any(Array),
        createdAt: NOW,
        expiresAt,
        revokedAt: null,
        lastUsedAt: null,
      });
      expect(new Set(card.scopes)).toEqual(scopes);
      expect(await accounts.keys("acc_a")).toEqual([card]);
      const rows = await keyRows(database);
      expect(rows.map(({ key_hash }) => key_hash)).toEqual([hashOfKey(key)]);
      const stored = JSON.stringify([rows, await eventsOf(database)]);
      expect(stored).not.toContain(key.slice(0, "vgl_".length + 5));
      expect(stored).not.toContain(key.slice("vgl_".length + 4, -8));
    });

    test.each(["vgl_", "vgl_demo_"] as const)(
      "the hint of a key with the prefix %s shows four characters of the secret",
      async (prefix) => {
        const { database, clock } = await openWithAccount();
        const { key, card } = await madeKey(accountsOf(database, prefix, clock.now), wantedKey("acc_a"));
        expect(card.hint).toBe(`${prefix}${key.slice(prefix.length, prefix.length + 4)}…`);
      },
    );

    test("the event of a new key has the key's id, name, scopes and expiry, but not the key itself", async () => {
      const { accounts, database } = await openWithAccount();
      const { card } = await madeKey(accounts, wantedKey("acc_a", { expiresAt: LATER }));
      const [newest] = await eventsOf(database);
      expect(newest).toEqual({
        at: NOW,
        action: "key.created",
        ...by,
        accountId: "acc_a",
        subject: card.id,
        detail: { name: "a key", scopes: ["read"], expiresAt: LATER },
      });
    });

    test("the list of an account's keys has no keys of other accounts, and the newest comes first", async () => {
      const { accounts, clock } = await openWithAccount();
      await accounts.create({ id: "acc_b", name: "B", plan: "starter" }, by);
      const first = await madeKey(accounts, wantedKey("acc_a"));
      clock.set(LATER);
      const second = await madeKey(accounts, wantedKey("acc_a"));
      await madeKey(accounts, wantedKey("acc_b"));
      expect(await accounts.keys("acc_a")).toEqual([second.card, first.card]);
      expect(await accounts.keys("acc_nobody")).toEqual([]);
    });

    test("the list of keys has every active key, and the newest revoked keys up to a total of 200 keys", async () => {
      const { accounts, clock } = await openWithAccount();
      const first = await madeKey(accounts, wantedKey("acc_a"));
      for (let created = 0; created < 201; created += 1) {
        clock.set(NOW + created + 1);
        const { card } = await madeKey(accounts, wantedKey("acc_a"));
        await accounts.revokeKey("acc_a", card.id, by);
      }
      const listed = await accounts.keys("acc_a");
      expect(listed).toHaveLength(200);
      expect(listed.at(-1)).toEqual(first.card);
    });

    test("creating a key for an unknown account fails", async () => {
      const { accounts, database } = await open();
      expect(await accounts.createKey(wantedKey("acc_nobody"), by)).toBe("no such account");
      expect(await keyRows(database)).toEqual([]);
      expect(await eventsOf(database)).toEqual([]);
    });

    test("an account has at most 50 active keys; revoked ones and keys of other accounts do not count", async () => {
      const { accounts, database } = await openWithAccount();
      await accounts.create({ id: "acc_b", name: "B", plan: "starter" }, by);
      const { card } = await madeKey(accounts, wantedKey("acc_a"));
      for (let count = 1; count < KEYS_MAX; count++) await madeKey(accounts, wantedKey("acc_a"));
      expect(await accounts.createKey(wantedKey("acc_a"), by)).toBe("too many keys");
      expect(await keyRows(database)).toHaveLength(KEYS_MAX);
      await madeKey(accounts, wantedKey("acc_b"));
      await accounts.revokeKey("acc_a", card.id, by);
      await madeKey(accounts, wantedKey("acc_a"));
      expect(await accounts.createKey(wantedKey("acc_a"), by)).toBe("too many keys");
    });

    test("expired keys do not count towards the limit of active keys", async () => {
      const { accounts, clock } = await openWithAccount();
      for (let created = 0; created < 50; created += 1) {
        await madeKey(accounts, { ...wantedKey("acc_a"), expiresAt: clock.now() + 1 });
      }
      expect(await accounts.createKey(wantedKey("acc_a"), byCommand)).toBe("too many keys");
      clock.advance(1);
      expect(await accounts.createKey(wantedKey("acc_a"), byCommand)).toHaveProperty("key");
    });

    test("the limit of active keys also applies to keys that are created concurrently", async () => {
      const { accounts } = await openWithAccount();
      for (let created = 0; created < 48; created += 1) await madeKey(accounts, wantedKey("acc_a"));
      const created = await Promise.all(
        Array.from({ length: 8 }, () => accounts.createKey(wantedKey("acc_a"), byCommand)),
      );
      expect(created.filter((each) => each === "too many keys")).toHaveLength(6);
    });

    test("concurrent revocations of a key revoke it once, with one event", async () => {
      const { accounts, database } = await openWithAccount();
      const { card } = await madeKey(accounts, wantedKey("acc_a"));
      await Promise.all(Array.from({ length: 6 }, () => accounts.revokeKey("acc_a", card.id, byCommand)));
      expect((await eventsOf(database)).filter(({ action }) => action === "key.revoked")).toHaveLength(1);
    });

    test("no other key can have the name of the owner's key", async () => {
      const { accounts } = await openWithAccount();
      expect(await accounts.createKey({ ...wantedKey("acc_a"), name: "owner.key" }, byCommand)).toBe("reserved name");
    });

    test("a revoked key stays in the list with the time of its revocation", async () => {
      const { accounts, clock, database } = await openWithAccount();
      const { card } = await madeKey(accounts, wantedKey("acc_a"));
      clock.set(LATER);
      const revoked = await accounts.revokeKey("acc_a", card.id, byCommand);
      expect(revoked).toEqual({ ...card, revokedAt: LATER });
      expect(await accounts.keys("acc_a")).toEqual([revoked]);
      const [newest] = await eventsOf(database);
      expect(newest).toEqual({
        at: LATER,
        action: "key.revoked",
        actor: "command line",
        accountId: "acc_a",
        subject: card.id,
        detail: {},
      });
    });

    test("revoking a key twice has the same effect as revoking it once", async () => {
      const { accounts, clock, database } = await openWithAccount();
      const { card } = await madeKey(accounts, wantedKey("acc_a"));
      const first = await accounts.revokeKey("acc_a", card.id, by);
      const events = await eventsOf(database);
      clock.set(LATER);
      expect(await accounts.revokeKey("acc_a", card.id, by)).toEqual(first);
      expect(await eventsOf(database)).toEqual(events);
    });

    test("a key of another account, or an unknown one, cannot be revoked", async () => {
      const { accounts, database } = await openWithAccount();
      await accounts.create({ id: "acc_b", name: "B", plan: "starter" }, by);
      const { card } = await madeKey(accounts, wantedKey("acc_a"));
      const events = await eventsOf(database);
      expect(await accounts.revokeKey("acc_b", card.id, by)).toBeUndefined();
      expect(await accounts.revokeKey("acc_a", "key_nobody", by)).toBeUndefined();
      expect(await accounts.keys("acc_a")).toEqual([card]);
      expect(await eventsOf(database)).toEqual(events);
    });
  });

  describe("a change whose audit event cannot be written", () => {
    async function withoutAudit() {
      const opened = await openWithAccount();
      const { card } = await madeKey(opened.accounts, wantedKey("acc_a"));
      await opened.database.db.schema.dropTable("audit_event").execute();
      return { ...opened, card };
    }

    const changes: Readonly<Record<string, (accounts: Accounts, keyId: string) => Promise<unknown>>> = {
      "creating an account": (accounts) => accounts.create({ id: "acc_b", name: "B", plan: "free" }, by),
      "changing a plan": (accounts) => accounts.setPlan("acc_a", "free", "lapsed", by),
      "creating a key": (accounts) => accounts.createKey(wantedKey("acc_a"), by),
      "revoking a key": (accounts, keyId) => accounts.revokeKey("acc_a", keyId, by),
    };
    test.each(Object.entries(changes))("the change is rolled back: %s", async (_, change) => {
      const { accounts, card } = await withoutAudit();
      const before = { accounts: await accounts.list({ limit: 100 }), keys: await accounts.keys("acc_a") };
      await expect(change(accounts, card.id)).rejects.toThrow("audit_event");
      expect({ accounts: await accounts.list({ limit: 100 }), keys: await accounts.keys("acc_a") }).toEqual(before);
    });
  });

  describe("a store of the first version", () => {
    test("the store's keys move to the operator's account and get every scope; revoked keys stay revoked", async () => {
      const store = await openStore();
      await backToFirstVersion(store.database);
      const [inForce, revoked] = [newKey("vgl_"), newKey("vgl_")];
      for (const [key, created, revokedAt] of [
        [inForce, NOW, null],
        [revoked, NOW - 5, NOW - 1],
      ] as const) {
        await sql`
          insert into access_key (key_hash, kind, created_at, revoked_at)
          values (${hashOfKey(key)}, 'owner', ${created}, ${revokedAt})`.execute(store.database.db);
      }
      const database = await store.openAgain();
      const moved = await accountsOf(database, "vgl_", () => NOW).keys(OPERATOR_ACCOUNT);
      const plain = { accountId: OPERATOR_ACCOUNT, name: "owner.key", hint: "", expiresAt: null, lastUsedAt: null };
      expect(moved.map((card) => ({ ...card, scopes: new Set(card.scopes) }))).toEqual([
        { ...plain, id: idOf(inForce), scopes: everyScope, createdAt: NOW, revokedAt: null },
        { ...plain, id: idOf(revoked), scopes: everyScope, createdAt: NOW - 5, revokedAt: NOW - 1 },
      ]);
      const credentials = credentialStore(database, manualClock(NOW));
      expect((await credentials.key(inForce))?.principal).toMatchObject({
        accountId: OPERATOR_ACCOUNT,
        isOperator: true,
      });
      expect(await credentials.key(revoked)).toBeUndefined();
      await expect(sql`select * from access_key`.execute(database.db)).rejects.toThrow("access_key");
    });
  });
});

const idOf = (key: string): string => `key_${hashOfKey(key).slice(0, 24)}`;

/** Resets a store to an empty schema of the first version. */
async function backToFirstVersion({ db, dialect }: OpenDatabase): Promise<void> {
  const tables = (await db.introspection.getTables({ withInternalKyselyTables: true })).map(({ name }) => name);
  // Tables with references are dropped before the tables they refer to.
  const referring = ["session", "sign_in_link", "api_key"];
  for (const name of [...referring, ...tables.filter((table) => !referring.includes(table))]) {
    await db.schema.dropTable(name).execute();
  }
  const migrationTableSchema = dialect === "postgres" ? { migrationTableSchema: "public" } : {};
  const migrator = new Migrator({ db, provider: migrationProvider(dialect), ...migrationTableSchema });
  const { error } = await migrator.migrateTo("001-snapshots");
  if (error) throw error;
}
