import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { describeEachStore, type OpenStore } from "../../test/support/stores.js";
import type { CreatedKey } from "../contract/access/accounts.js";
import { OPERATOR_ACCOUNT } from "../contract/access/principal.js";
import type { Scope } from "../contract/access/scopes.js";
import type { OpenDatabase } from "../database/open-database.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { type ManualClock, manualClock } from "../kit/manual-clock.js";
import { type Accounts, accountsOf } from "./accounts.js";
import { auditEvents } from "./audit-log.js";
import type { Credential } from "./credential.js";
import { type CredentialStore, credentialStore } from "./credential-store.js";
import { hashOfKey, newKey } from "./key-format.js";
import { SESSION_PREFIX } from "./session-token.js";
import { StoreContact } from "./store-contact.js";

const NOW = Date.UTC(2026, 10, 18, 12);
const REMEMBERED_MS = 60 * SECOND_MS;
const ADDRESS = "192.0.2.1";
const by = { actor: "test" };

interface Opened extends OpenStore {
  readonly clock: ManualClock;
  readonly accounts: Accounts;
  readonly credentials: CredentialStore;
  /** A key of the account `acc_a`, which has the plan `starter`. */
  readonly created: CreatedKey;
}

async function makeKey(accounts: Accounts, accountId: string, expiresAt: number | null = null): Promise<CreatedKey> {
  const scopes = new Set<Scope>(["read", "account:write"]);
  const created = await accounts.createKey({ accountId, name: "a key", scopes, expiresAt }, by);
  if (typeof created === "string") throw new Error(created);
  return created;
}

/** Changes a key without a new access version, so that the change becomes visible only when the cache expires. */
async function setRevoked({ db }: OpenDatabase, { card }: CreatedKey, at: number | null): Promise<void> {
  await db.updateTable("api_key").set({ revoked_at: at }).where("id", "=", card.id).execute();
}

const lastUsedAt = async ({ db }: OpenDatabase, { card }: CreatedKey): Promise<number | null | undefined> =>
  (await db.selectFrom("api_key").select("last_used_at").where("id", "=", card.id).executeTakeFirst())?.last_used_at;

const eventsOf = async ({ db }: OpenDatabase) =>
  (await auditEvents(db, { limit: 100 })).map(({ id: _, ...event }) => event);

/** A wrapper whose queries reach the store immediately but resolve only when released. */
function heldBack<T extends object>(target: T, waiting: (() => void)[]): T {
  return new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name, of);
      if (typeof member !== "function") return member;
      return (...parameters: unknown[]): unknown => {
        const created: unknown = member.apply(of, parameters);
        if (created instanceof Promise) return created.finally(() => new Promise<void>((letGo) => waiting.push(letGo)));
        return typeof created === "object" && created !== null ? heldBack(created, waiting) : created;
      };
    },
  });
}

/** A wrapper whose queries fail like those of a lost server while `isLost` is true. */
function lostWhile<T extends object>(target: T, isLost: () => boolean): T {
  return new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name, of);
      if (typeof member !== "function") return member;
      return (...parameters: unknown[]): unknown => {
        if (String(name).startsWith("execute") && isLost()) {
          return Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
        }
        const created: unknown = member.apply(of, parameters);
        const isBuilder = typeof created === "object" && created !== null && !(created instanceof Promise);
        return isBuilder ? lostWhile(created, isLost) : created;
      };
    },
  });
}

await describeEachStore((openStore) => {
  async function open(): Promise<Opened> {
    const store = await openStore();
    const clock = manualClock(NOW);
    const accounts = accountsOf(store.database, "vgl_", clock.now);
    await accounts.create({ id: "acc_a", name: "A", plan: "starter" }, by);
    const created = await makeKey(accounts, "acc_a");
    const credentials = credentialStore(store.database, clock);
    await credentials.refresh();
    return { ...store, clock, accounts, credentials, created };
  }

  describe("looking up a key", () => {
    test("a lookup returns the owner, the rights and the expiry of a key", async () => {
      const { credentials, accounts, created } = await open();
      const expected: Credential = {
        keyId: created.card.id,
        endsAt: Number.POSITIVE_INFINITY,
        principal: {
          kind: "key",
          actor: created.card.id,
          accountId: "acc_a",
          scopes: new Set(["read", "account:write"]),
          plan: "starter",
          planState: "active",
          isOperator: false,
        },
      };
      expect(await credentials.key(created.key)).toEqual(expected);
      expect(await credentials.keyById(created.card.id)).toEqual(expected);
      const ending = await makeKey(accounts, "acc_a", NOW + 5);
      expect(await credentials.key(ending.key)).toMatchObject({ endsAt: NOW + 5 });
    });

    test("a key of the operator's account identifies the operator", async () => {
      const { credentials, accounts } = await open();
      const { key } = await makeKey(accounts, OPERATOR_ACCOUNT);
      expect((await credentials.key(key))?.principal).toMatchObject({ isOperator: true, plan: "enterprise" });
    });

    test("a limited key of the operator's account does not identify the operator", async () => {
      const { credentials, accounts } = await open();
      const limited = {
        accountId: OPERATOR_ACCOUNT,
        name: "a reader",
        scopes: new Set<Scope>(["read"]),
        expiresAt: null,
      };
      const created = await accounts.createKey(limited, by);
      if (typeof created === "string") throw new Error(created);
      expect((await credentials.key(created.key))?.principal).toMatchObject({
        accountId: OPERATOR_ACCOUNT,
        isOperator: false,
      });
    });

    test("a lookup of an unknown or revoked key returns undefined", async () => {
      const { credentials, accounts, created } = await open();
      await accounts.revokeKey("acc_a", created.card.id, by);
      expect(await credentials.key(created.key)).toBeUndefined();
      expect(await credentials.keyById(created.card.id)).toBeUndefined();
      expect(await credentials.key(newKey("vgl_"))).toBeUndefined();
      expect(await credentials.keyById("key_nobody")).toBeUndefined();
    });

    test("a lookup by hash or id instead of the key returns undefined", async () => {
      const { credentials, created } = await open();
      expect(await credentials.key(hashOfKey(created.key))).toBeUndefined();
      expect(await credentials.key(created.card.id)).toBeUndefined();
      expect(await credentials.keyById(created.key)).toBeUndefined();
    });

    test("a known key is cached for 60 s and no longer", async () => {
      const { credentials, clock, database, created } = await open();
      const stored = await credentials.key(created.key);
      await setRevoked(database, created, NOW);
      clock.advance(REMEMBERED_MS - 1);
      // Returned synchronously, so there was no query.
      expect(credentials.key(created.key)).toBe(stored);
      clock.advance(1);
      expect(await credentials.key(created.key)).toBeUndefined();
    });

    test("a key that was cached while the clock was ahead is looked up again once the clock is set back", async () => {
      const { credentials, clock, database, created } = await open();
      await credentials.key(created.key);
      await setRevoked(database, created, NOW);
      clock.set(NOW - HOUR_MS);
      expect(await credentials.key(created.key)).toBeUndefined();
    });

    test("`recalledKey` returns a key cached in the last 60 s, unless a refresh saw that the key was revoked", async () => {
      const { credentials, accounts, clock, created } = await open();
      const isRecalled = () => credentials.recalledKey(created.key, clock.now()) !== undefined;
      expect(isRecalled()).toBe(false);
      const stored = await credentials.key(created.key);
      expect(credentials.recalledKey(created.key, clock.now())).toBe(stored);
      clock.set(NOW + REMEMBERED_MS);
      expect(isRecalled()).toBe(false);
      await credentials.key(created.key);
      expect(isRecalled()).toBe(true);
      await accounts.revokeKey("acc_a", created.card.id, by);
      await credentials.refresh();
      expect(isRecalled()).toBe(false);
      await credentials.key(created.key);
      expect(isRecalled()).toBe(false);
    });

    test("an unknown key is cached for 60 s and no longer", async () => {
      const { credentials, clock, database, created } = await open();
      await setRevoked(database, created, NOW);
      expect(await credentials.key(created.key)).toBeUndefined();
      await setRevoked(database, created, null);
      clock.advance(REMEMBERED_MS - 1);
      expect(credentials.key(created.key)).toBeUndefined();
      clock.advance(1);
      expect(await credentials.key(created.key)).toMatchObject({ keyId: created.card.id });
    });
  });

  describe("a change by another process", () => {
    const changes: Readonly<Record<string, (accounts: Accounts, keyId: string) => Promise<unknown>>> = {
      "a revocation": (accounts, keyId) => accounts.revokeKey("acc_a", keyId, by),
      "a change of plan": (accounts) => accounts.setPlan("acc_a", "business", "lapsed", by),
    };
    test.each(Object.entries(changes))("%s takes effect after the next refresh", async (_, change) => {
      const { credentials, clock, created, openAgain } = await open();
      const before = await credentials.key(created.key);
      const other = await openAgain();
      await change(accountsOf(other, "vgl_", clock.now), created.card.id);
      expect(credentials.key(created.key)).toBe(before);
      await credentials.refresh();
      expect(await credentials.key(created.key)).toEqual(await credentialStore(other, clock).key(created.key));
      expect(await credentials.key(created.key)).not.toEqual(before);
    });

    test("a sign-out takes effect after the next refresh", async () => {
      const { credentials, clock, created, openAgain } = await open();
      const { token = "" } = (await credentials.signIn(created.card.id, ADDRESS)) ?? {};
      expect(await credentials.session(token)).toBeDefined();
      await credentialStore(await openAgain(), clock).signOut(token, ADDRESS);
      await credentials.refresh();
      expect(await credentials.session(token)).toBeUndefined();
    });

    test("a refresh without a change keeps the cache", async () => {
      const { credentials, created } = await open();
      const stored = await credentials.key(created.key);
      await credentials.refresh();
      expect(credentials.key(created.key)).toBe(stored);
    });

    test("if a change happens during a lookup, the result of the lookup is not cached", async () => {
      const { clock, accounts, database, created } = await open();
      const waiting: (() => void)[] = [];
      const credentials = credentialStore({ ...database, db: heldBack(database.db, waiting) }, clock);
      async function letGo(work: Promise<unknown>): Promise<void> {
        await vi.waitUntil(() => waiting.length > 0);
        waiting.pop()?.();
        await work;
      }
      await letGo(credentials.refresh());
      const lookup = Promise.resolve(credentials.key(created.key));
      await vi.waitUntil(() => waiting.length > 0);
      const [finishLookup] = waiting.splice(0);
      await accounts.revokeKey("acc_a", created.card.id, by);
      await letGo(credentials.refresh());
      finishLookup?.();
      // The key was valid when it was read.
      expect(await lookup).toBeDefined();
      const again = Promise.resolve(credentials.key(created.key));
      await letGo(again);
      expect(await again).toBeUndefined();
    });
  });

  // A lookup is "confirmed" by default. A "remembered" lookup may return an earlier result while the store is lost.
  describe("while the store is lost", () => {
    const LOST_MS_MAX = 15 * MINUTE_MS;

    /** A credential store that has seen a key, and a function `lose` that makes its database unreachable. */
    async function openLosable() {
      const opened = await open();
      const { database, clock, created } = opened;
      const store = { isLost: false };
      const contact = new StoreContact({ clock, rememberedMs: LOST_MS_MAX, monotonic: clock.now });
      const losable = { ...database, db: lostWhile(database.db, () => store.isLost) };
      const credentials = credentialStore(losable, clock, contact);
      await credentials.refresh();
      await credentials.key(created.key);
      const lose = (): void => {
        store.isLost = true;
        clock.advance(REMEMBERED_MS);
      };
      return { ...opened, credentials, store, lose };
    }

    test("a remembered lookup succeeds for a key, session or account standing that was looked up before", async () => {
      const { credentials, created, lose } = await openLosable();
      const { token = "" } = (await credentials.signIn(created.card.id, ADDRESS)) ?? {};
      const before = {
        key: await credentials.key(created.key),
        id: await credentials.keyById(created.card.id),
        session: await credentials.session(token),
        account: await credentials.account("acc_a"),
      };
      lose();
      expect({
        key: await credentials.key(created.key, "remembered"),
        id: await credentials.keyById(created.card.id, "remembered"),
        session: await credentials.session(token, "remembered"),
        account: await credentials.account("acc_a", "remembered"),
      }).toEqual(before);
      expect(before.session).toBeDefined();
    });

    test("a confirmed lookup fails, and so does a remembered lookup of a key that was not looked up before", async () => {
      const { accounts, credentials, created, lose } = await openLosable();
      const other = await makeKey(accounts, "acc_a");
      await credentials.refresh();
      lose();
      await expect(credentials.key(created.key)).rejects.toThrow("ECONNREFUSED");
      await expect(credentials.key(created.key, "confirmed")).rejects.toThrow("ECONNREFUSED");
      await expect(credentials.keyById(created.card.id, "remembered")).rejects.toThrow("ECONNREFUSED");
      await expect(credentials.key(other.key, "remembered")).rejects.toThrow("ECONNREFUSED");
      await expect(credentials.account("acc_a", "remembered")).rejects.toThrow("ECONNREFUSED");
    });

    test("a remembered lookup of a key that was unknown before fails, because the key may have been created since then", async () => {
      const { credentials, lose } = await openLosable();
      const unknown = newKey("vgl_");
      expect(await credentials.key(unknown)).toBeUndefined();
      lose();
      await expect(credentials.key(unknown, "remembered")).rejects.toThrow("ECONNREFUSED");
    });

    test("a remembered lookup fails once the last successful check of the store is 15 minutes old", async () => {
      const { clock, credentials, created, lose } = await openLosable();
      lose();
      clock.set(NOW + LOST_MS_MAX - 1);
      await expect(credentials.refresh()).rejects.toThrow("ECONNREFUSED");
      expect(await credentials.key(created.key, "remembered")).toBeDefined();
      clock.advance(1);
      await expect(credentials.key(created.key, "remembered")).rejects.toThrow("ECONNREFUSED");
    });

    test("a remembered lookup still returns the expiry of a key", async () => {
      const { accounts, credentials, lose } = await openLosable();
      const ending = await makeKey(accounts, "acc_a", NOW + HOUR_MS);
      await credentials.refresh();
      await credentials.key(ending.key);
      lose();
      expect(await credentials.key(ending.key, "remembered")).toMatchObject({ endsAt: NOW + HOUR_MS });
    });

    test.each(["the next refresh", "the next lookup"])(
      "a key that another process revoked during the loss is refused after %s that reaches the store",
      async (query) => {
        const { accounts, credentials, created, store, lose } = await openLosable();
        lose();
        expect(await credentials.key(created.key, "remembered")).toBeDefined();
        await accounts.revokeKey("acc_a", created.card.id, by);
        expect(await credentials.key(created.key, "remembered")).toBeDefined();
        store.isLost = false;
        await (query === "the next refresh" ? credentials.refresh() : credentials.key(newKey("vgl_"), "remembered"));
        expect(await credentials.key(created.key, "remembered")).toBeUndefined();
      },
    );

    test("a refresh before the loss forgets a revoked key, and only that key", async () => {
      const { accounts, credentials, created, lose } = await openLosable();
      const other = await makeKey(accounts, "acc_a");
      await credentials.refresh();
      const before = await credentials.key(other.key);
      await accounts.revokeKey("acc_a", created.card.id, by);
      await credentials.refresh();
      lose();
      expect(await credentials.key(other.key, "remembered")).toEqual(before);
      await expect(credentials.key(created.key, "remembered")).rejects.toThrow("ECONNREFUSED");
    });

    test("keys that could not be read again after a change are not remembered", async () => {
      const { accounts, clock, credentials, created, database, store } = await openLosable();
      await accounts.setPlan("acc_a", "pro", "lapsed", by);
      const losing = { ...database, db: lostWhile(database.db, () => store.isLost) };
      const contact = new StoreContact({ clock, rememberedMs: LOST_MS_MAX, monotonic: clock.now });
      const later = credentialStore(losing, clock, contact);
      await later.refresh();
      await later.key(created.key);
      await accounts.setPlan("acc_a", "starter", "active", by);
      const changing = later.refresh();
      // The refresh has already asked whether an account has changed, but has not yet read the keys.
      store.isLost = true;
      await expect(changing).rejects.toThrow("ECONNREFUSED");
      await expect(later.key(created.key, "remembered")).rejects.toThrow("ECONNREFUSED");
      await expect(credentials.keyById(created.card.id, "remembered")).rejects.toThrow("ECONNREFUSED");
    });

    test("the 1,000 most recently used keys stay remembered after a change of any account", async () => {
      const { accounts, clock, credentials, created, database, lose } = await openLosable();
      const many = Array.from({ length: 1_001 }, () => newKey("vgl_"));
      const { db } = database;
      const row = await db
        .selectFrom("api_key")
        .selectAll()
        .where("id", "=", created.card.id)
        .executeTakeFirstOrThrow();
      const rows = many.map((key, at) => ({ ...row, id: `key_${at}`, key_hash: hashOfKey(key) }));
      await db.insertInto("api_key").values(rows).execute();
      const [first = "", ...others] = many;
      await credentials.key(first);
      await Promise.all(others.map((key) => credentials.key(key)));
      await accounts.create({ id: "acc_b", name: "B", plan: "free" }, by);
      await credentials.refresh();
      clock.advance(REMEMBERED_MS);
      lose();
      for (const key of others) expect(await credentials.key(key, "remembered")).toBeDefined();
      await expect(credentials.key(first, "remembered")).rejects.toThrow("ECONNREFUSED");
    });
  });

  describe("sessions", () => {
    test("a session has the account and the scopes of its key, and lasts 12 hours", async () => {
      const { credentials, created } = await open();
      const opened = await credentials.signIn(created.card.id, ADDRESS);
      const endsAt = NOW + 12 * HOUR_MS;
      expect(opened).toEqual({ token: expect.stringMatching(/^vgs_[\w-]{43}$/), expiresAt: endsAt });
      expect(await credentials.session(opened?.token ?? "")).toEqual({
        keyId: created.card.id,
        endsAt,
        principal: {
          kind: "session",
          actor: created.card.id,
          accountId: "acc_a",
          scopes: new Set(["read", "account:write"]),
          plan: "starter",
          planState: "active",
          isOperator: false,
        },
      });
    });

    test.each([
      { key: "an hour after the sign-in", keyEndsAt: NOW + HOUR_MS, endsAt: NOW + HOUR_MS },
      { key: "a day after the sign-in", keyEndsAt: NOW + 24 * HOUR_MS, endsAt: NOW + 12 * HOUR_MS },
    ])("a session ends after 12 hours, or earlier with its key: the key ends $key", async ({ keyEndsAt, endsAt }) => {
      const { credentials, accounts } = await open();
      const { card } = await makeKey(accounts, "acc_a", keyEndsAt);
      const { token = "" } = (await credentials.signIn(card.id, ADDRESS)) ?? {};
      expect(await credentials.session(token)).toMatchObject({ endsAt });
    });

    test("the reported end of a session is the end of its key if the key ends earlier", async () => {
      const { credentials, accounts } = await open();
      const ending = await makeKey(accounts, "acc_a", NOW + 1);
      expect(await credentials.signIn(ending.card.id, ADDRESS)).toMatchObject({ expiresAt: NOW + 1 });
    });

    test("signing in writes an event", async () => {
      const { credentials, database, created } = await open();
      await credentials.signIn(created.card.id, ADDRESS);
      const [newest] = await eventsOf(database);
      expect(newest).toEqual({
        at: NOW,
        action: "signed-in",
        actor: created.card.id,
        accountId: "acc_a",
        address: ADDRESS,
        detail: {},
      });
    });

    test("a revoked, ended or unknown key opens no session", async () => {
      const { credentials, accounts, clock, database, created } = await open();
      const ending = await makeKey(accounts, "acc_a", NOW + 1);
      await accounts.revokeKey("acc_a", created.card.id, by);
      clock.advance(1);
      for (const id of [created.card.id, ending.card.id, "key_nobody"]) {
        expect(await credentials.signIn(id, ADDRESS)).toBeUndefined();
      }
      expect(await database.db.selectFrom("session").selectAll().execute()).toEqual([]);
      expect((await eventsOf(database)).map(({ action }) => action)).not.toContain("signed-in");
    });

    test("a session ends with its key", async () => {
      const { credentials, accounts, created } = await open();
      const { token = "" } = (await credentials.signIn(created.card.id, ADDRESS)) ?? {};
      expect(await credentials.session(token)).toBeDefined();
      await accounts.revokeKey("acc_a", created.card.id, by);
      await credentials.refresh();
      expect(await credentials.session(token)).toBeUndefined();
    });

    test("signing out ends the session immediately, and ends no other session", async () => {
      const { credentials, database, created } = await open();
      const { token: firstToken = "" } = (await credentials.signIn(created.card.id, ADDRESS)) ?? {};
      const { token: secondToken = "" } = (await credentials.signIn(created.card.id, ADDRESS)) ?? {};
      expect(await credentials.session(firstToken)).toBeDefined();
      await credentials.signOut(firstToken, ADDRESS);
      expect(await credentials.session(firstToken)).toBeUndefined();
      expect(await credentials.session(secondToken)).toBeDefined();
      const [newest] = await eventsOf(database);
      const event = { at: NOW, action: "signed-out", actor: created.card.id, accountId: "acc_a", address: ADDRESS };
      expect(newest).toMatchObject(event);
    });

    test("signing out without a session writes no event", async () => {
      const { credentials, database } = await open();
      const before = await eventsOf(database);
      await credentials.signOut(`${SESSION_PREFIX}nothing`, ADDRESS);
      expect(await eventsOf(database)).toEqual(before);
    });

    test("the next sign-in removes ended sessions", async () => {
      const { credentials, clock, database, created } = await open();
      await credentials.signIn(created.card.id, ADDRESS);
      clock.advance(12 * HOUR_MS);
      await credentials.signIn(created.card.id, ADDRESS);
      const rows = await database.db.selectFrom("session").select("created_at").execute();
      expect(rows).toEqual([{ created_at: NOW + 12 * HOUR_MS }]);
    });
  });

  describe("one-time links", () => {
    test("a link opens only one session", async () => {
      const { credentials, created } = await open();
      const secret = await credentials.makeLink(created.card.id);
      const { token = "" } = (await credentials.signInByLink(secret, ADDRESS)) ?? {};
      expect(await credentials.session(token)).toMatchObject({ keyId: created.card.id });
      expect(await credentials.signInByLink(secret, ADDRESS)).toBeUndefined();
    });

    test("only one of two concurrent uses of a link succeeds", async () => {
      const { credentials, clock, created, openAgain } = await open();
      const other = credentialStore(await openAgain(), clock);
      const secret = await credentials.makeLink(created.card.id);
      const opened = await Promise.all([
        credentials.signInByLink(secret, ADDRESS),
        other.signInByLink(secret, ADDRESS),
      ]);
      expect(opened.filter((session) => session !== undefined)).toHaveLength(1);
    });

    test.each([
      { after: HOUR_MS - 1, opens: true },
      { after: HOUR_MS, opens: false },
    ])("after $after ms, a link opens a session: $opens", async ({ after, opens }) => {
      const { credentials, clock, created } = await open();
      const secret = await credentials.makeLink(created.card.id);
      clock.advance(after);
      expect((await credentials.signInByLink(secret, ADDRESS)) !== undefined).toBe(opens);
    });

    test("a wrong secret, or the link of a revoked key, opens no session", async () => {
      const { credentials, accounts, created } = await open();
      const secret = await credentials.makeLink(created.card.id);
      expect(await credentials.signInByLink(`${secret}x`, ADDRESS)).toBeUndefined();
      await accounts.revokeKey("acc_a", created.card.id, by);
      expect(await credentials.signInByLink(secret, ADDRESS)).toBeUndefined();
    });

    test("creating a link removes expired links", async () => {
      const { credentials, clock, database, created } = await open();
      await credentials.makeLink(created.card.id);
      clock.advance(HOUR_MS);
      await credentials.makeLink(created.card.id);
      const rows = await database.db.selectFrom("sign_in_link").select("expires_at").execute();
      expect(rows).toEqual([{ expires_at: NOW + 2 * HOUR_MS }]);
    });
  });

  test("the store contains no secret of a session, link or key", async () => {
    const { credentials, database, created } = await open();
    const { token = "" } = (await credentials.signIn(created.card.id, ADDRESS)) ?? {};
    const secret = await credentials.makeLink(created.card.id);
    const tables = ["session", "sign_in_link", "audit_event", "api_key"] as const;
    const stored: string[] = [];
    for (const table of tables) {
      const { rows } = await sql`select * from ${sql.table(table)}`.execute(database.db);
      expect(rows).not.toEqual([]);
      stored.push(JSON.stringify(rows));
    }
    for (const text of [token.slice(SESSION_PREFIX.length), secret, created.key.slice("vgl_".length)]) {
      expect(stored.join("\n")).not.toContain(text);
    }
  });

  describe("the last use of a key", () => {
    test("one minute after the store opens, a refresh writes the newest time at which a key was used", async () => {
      const { credentials, clock, database, created } = await open();
      credentials.used(created.card.id, clock.now());
      clock.advance(10 * SECOND_MS);
      credentials.used(created.card.id, clock.now());
      clock.advance(MINUTE_MS - 10 * SECOND_MS - 1);
      await credentials.refresh();
      expect(await lastUsedAt(database, created)).toBeNull();
      clock.advance(1);
      await credentials.refresh();
      expect(await lastUsedAt(database, created)).toBe(NOW + 10 * SECOND_MS);
    });

    test("the last use of a key is written at most once a minute, and only if the key was used again", async () => {
      const { credentials, clock, accounts, database, created } = await open();
      const quiet = await makeKey(accounts, "acc_a");
      for (const { card } of [created, quiet]) credentials.used(card.id, clock.now());
      clock.advance(MINUTE_MS);
      await credentials.refresh();
      await database.db.updateTable("api_key").set({ last_used_at: 1 }).execute();
      credentials.used(created.card.id, clock.now());
      clock.advance(MINUTE_MS - 1);
      await credentials.refresh();
      expect(await lastUsedAt(database, created)).toBe(1);
      clock.advance(1);
      await credentials.refresh();
      expect(await lastUsedAt(database, created)).toBe(NOW + MINUTE_MS);
      expect(await lastUsedAt(database, quiet)).toBe(1);
    });

    test("the last use of a key is written even if the clock was ahead when the store opened", async () => {
      const { credentials, clock, database, created } = await open();
      clock.set(NOW - HOUR_MS);
      credentials.used(created.card.id, clock.now());
      await credentials.refresh();
      expect(await lastUsedAt(database, created)).toBe(NOW - HOUR_MS);
    });

    test("writing the last use of a key keeps the cached keys", async () => {
      const { credentials, clock, created } = await open();
      clock.advance(MINUTE_MS);
      credentials.used(created.card.id, clock.now());
      const stored = await credentials.key(created.key);
      await credentials.refresh();
      expect(credentials.key(created.key)).toBe(stored);
    });
  });

  test("a confirmed lookup of an account's standing always reads the store", async () => {
    const { credentials, accounts } = await open();
    expect(await credentials.account("acc_a")).toEqual({ plan: "starter", planState: "active" });
    await accounts.setPlan("acc_a", "pro", "lapsed", by);
    expect(await credentials.account("acc_a")).toEqual({ plan: "pro", planState: "lapsed" });
    expect(await credentials.account("acc_nobody")).toBeUndefined();
  });
});
