import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AuditEvent } from "../src/access/audit-log.js";
import type { KeyCard, SessionCard } from "../src/contract/access/accounts.js";
import type { PlanKey, PlanState } from "../src/contract/access/plans.js";
import type { Scope } from "../src/contract/access/scopes.js";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

type Headers = Readonly<Record<string, string>>;

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const OWN_ORIGIN = "http://127.0.0.1:8787";
const SECRET = "secret-of-the-billing-system";
const JSON_BODY = { "content-type": "application/json" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const WRITER: readonly Scope[] = ["read", "account:write"];
const by = { actor: "test" };

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ env: { VIGIL_PLAN_EVENTS_SECRET: SECRET } });
  await stack.run("us-cpi");
}, 60_000);
afterAll(() => stack.close());

interface Holder {
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
  /** The key as a header. */
  readonly headers: Headers;
}

/** Creates a key for an account, which may be the operator's. */
async function keyOf(accountId: string, scopes: readonly Scope[] = WRITER, of = stack): Promise<Holder> {
  const keyOptions = { accountId, name: "test", scopes: new Set(scopes), expiresAt: null };
  const createdKey = await of.service.access.accounts.createKey(keyOptions, by);
  if (typeof createdKey === "string") throw new Error(createdKey);
  return { accountId, keyId: createdKey.card.id, key: createdKey.key, headers: { "x-service-key": createdKey.key } };
}

/** Creates an account on this plan, and a key for it. */
async function holder(plan: PlanKey = "starter", state: PlanState = "active", of = stack): Promise<Holder> {
  const { accounts } = of.service.access;
  const account = await accounts.create({ name: `of ${plan}`, plan }, by);
  if (!account) throw new Error("the id is taken");
  if (state !== "active") await accounts.setPlan(account.id, plan, state, by);
  return keyOf(account.id, WRITER, of);
}

const operator = (): Headers => ({ "x-service-key": stack.service.access.ownerKey.key ?? "" });
const get = (path: string, headers: Headers): Promise<IdentifiedAnswer> => stack.get(path, headers);

function post(
  name: string,
  body: unknown,
  headers: Headers = {},
  from = "127.0.0.1",
  of = stack,
): Promise<IdentifiedAnswer> {
  const sentHeaders = { ...JSON_BODY, ...headers };
  return call(of.answer, "POST", `/api/account/v1/${name}`, sentHeaders, { body: JSON.stringify(body), from });
}

function getAccount(headers: Headers): Promise<IdentifiedAnswer> {
  return get("/api/account/v1/get-account", headers);
}

/** Status and body of an answer. */
const statusAndBody = (answer: IdentifiedAnswer) => ({ status: answer.status, body: json(answer) });

/** The Cookie header that a browser would send after this answer. */
function cookieOf(answer: IdentifiedAnswer): Headers {
  return { cookie: (answer.headers["Set-Cookie"] ?? "").split(";")[0] ?? "" };
}

/** Signs in with this key, and returns the cookie. Sign-in is limited by address, so each key uses its own address. */
async function sessionOf({ key, keyId }: Holder): Promise<Headers> {
  const answer = await post("sign-in", { key }, {}, `host of ${keyId}`);
  expect(answer.status).toBe(200);
  return cookieOf(answer);
}

describe("get-account", () => {
  test("returns the account, and the kind and the access of the credential", async () => {
    const { accountId, headers } = await holder("business");
    const answer = await getAccount(headers);
    expect(statusAndBody(answer)).toEqual({
      status: 200,
      body: {
        account: {
          id: accountId,
          name: "of business",
          plan: "business",
          planState: "active",
          createdAt: stack.clock.now(),
        },
        credential: "key",
        scopes: [...WRITER],
        plan: "business",
        planState: "active",
        tier: 2,
      },
    });
    expect(answer.headers["Cache-Control"]).toBe("no-store");
  });

  test("returns `session` as the kind of credential for a caller with a session cookie", async () => {
    const { accountId, ...signer } = await holder("starter");
    const answer = await getAccount(await sessionOf({ accountId, ...signer }));
    expect(json(answer)).toMatchObject({ credential: "session", account: { id: accountId } });
  });

  test("answers 401 without a credential", async () => {
    expect(statusAndBody(await getAccount({}))).toEqual({ status: 401, body: { error: "API key required" } });
  });
});

describe("an account whose plan grants no API access", () => {
  test.each([
    { plan: "starter", state: "lapsed" },
    { plan: "starter", state: "renewal-pending" },
    { plan: "free", state: "active" },
    { plan: "pro", state: "active" },
  ] as const)("can still read and change its own account: $plan $state", async ({ plan, state }) => {
    const { accountId, headers } = await holder(plan, state);
    expect((await get(CPI, headers)).status).toBe(403);
    for (const name of ["get-account", "get-usage", "list-keys", "list-sessions"]) {
      expect((await get(`/api/account/v1/${name}`, headers)).status).toBe(200);
    }
    expect(json(await getAccount(headers))).toMatchObject({ account: { id: accountId }, planState: state });
    expect((await post("create-key", { name: "another" }, headers)).status).toBe(201);
  });
});

describe("get-usage", () => {
  interface Usage {
    readonly limits: readonly { readonly name: string; readonly used: number; readonly remaining: number }[];
  }
  const usedOf = async (headers: Headers): Promise<Readonly<Record<string, number>>> => {
    const { limits } = json(await get("/api/account/v1/get-usage", headers)) as Usage;
    return Object.fromEntries(limits.map(({ name, used }) => [name, used]));
  };

  test("returns each limit of the plan with its use and reset time", async () => {
    const { headers } = await holder("starter");
    await get(CPI, headers);
    const now = stack.clock.now();
    expect(statusAndBody(await get("/api/account/v1/get-usage", headers))).toEqual({
      status: 200,
      body: {
        limits: [
          { name: "account", limit: 60, windowSeconds: 60, used: 1, remaining: 59, resetAt: now + 60_000 },
          {
            name: "daily",
            limit: 1000,
            windowSeconds: 86_400,
            used: 1,
            remaining: 999,
            resetAt: (Math.floor(now / DAY_MS) + 1) * DAY_MS,
          },
        ],
        quotas: [{ name: "brief", limit: 1000, windowSeconds: 86_400, used: 0, remaining: 1000, resetAt: now }],
      },
    });
  });

  test("does not count against the plan's limits; other account paths do not either", async () => {
    const caller = await holder("starter");
    const { accountId, key, headers } = caller;
    expect(await usedOf(headers)).toEqual({ account: 0, daily: 0 });
    await sessionOf(caller);
    const { sessions } = json(await get("/api/account/v1/list-sessions", headers)) as {
      readonly sessions: readonly SessionCard[];
    };
    const bodies: Readonly<Record<string, object>> = {
      "create-key": { name: "another" },
      "end-session": { sessionId: sessions[0]?.id },
      "revoke-key": { keyId: (await keyOf(accountId)).keyId },
      "sign-in": { key },
    };
    const { accountReads, writes } = stack.services;
    const statuses: Record<string, number> = {};
    for (const { path, read } of accountReads.filter(({ service }) => service === "account")) {
      statuses[read.rpc] = (await get(path, headers)).status;
    }
    for (const { write } of writes.filter(({ path }) => path.startsWith("/api/account/"))) {
      statuses[write.rpc] = (await post(write.rpc, bodies[write.rpc] ?? {}, headers)).status;
    }
    // Only the operator may make these calls, and only the billing system sends plan events.
    const refused = ["list-accounts", "list-audit-events", "create-account", "plan-events", "set-plan"];
    expect(Object.keys(statuses).filter((name) => (statuses[name] ?? 0) >= 300)).toEqual(refused);
    expect(await usedOf(headers)).toEqual({ account: 0, daily: 0 });
    await get(CPI, headers);
    expect(await usedOf(headers)).toEqual({ account: 1, daily: 1 });
  });

  test("returns the same counts to every key of the account", async () => {
    const firstKey = await holder("starter");
    const secondKey = await keyOf(firstKey.accountId);
    await get(CPI, firstKey.headers);
    await get(CPI, secondKey.headers);
    expect(await usedOf(secondKey.headers)).toEqual({ account: 2, daily: 2 });
  });
});

describe("list-keys", () => {
  const keysOf = (answer: IdentifiedAnswer) => (json(answer) as { readonly keys: readonly KeyCard[] }).keys;

  test("returns the cards of the account's keys without any secret", async () => {
    const { accountId, keyId, key, headers } = await holder();
    const answer = await get("/api/account/v1/list-keys", headers);
    expect(keysOf(answer)).toEqual([
      {
        id: keyId,
        accountId,
        name: "test",
        hint: `${key.slice(0, "vgl_demo_".length + 4)}…`,
        scopes: WRITER,
        createdAt: stack.clock.now(),
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      },
    ]);
    expect(String(answer.body)).not.toContain(key.slice(0, "vgl_demo_".length + 5));
  });

  test("only the operator can list the keys of another account; everyone else gets 404", async () => {
    const [caller, target] = [await holder(), await holder()];
    const path = `/api/account/v1/list-keys?account_id=${target.accountId}`;
    expect(statusAndBody(await get(path, caller.headers))).toEqual({ status: 404, body: { error: "No such account" } });
    expect(keysOf(await get(path, operator())).map(({ id }) => id)).toEqual([target.keyId]);
    expect(keysOf(await get(path, target.headers)).map(({ id }) => id)).toEqual([target.keyId]);
  });
});

describe("create-key", () => {
  interface CreatedKey {
    readonly key: string;
    readonly card: KeyCard;
  }

  test("shows the new key once; the key works, and its default scope is `read`", async () => {
    const { accountId, headers } = await holder();
    const answer = await post("create-key", { name: "second" }, headers);
    const { key, card } = json(answer) as CreatedKey;
    expect(answer.status).toBe(201);
    expect(answer.headers["Cache-Control"]).toBe("no-store");
    expect(card).toMatchObject({ accountId, name: "second", scopes: ["read"], expiresAt: null, revokedAt: null });
    expect((await get(CPI, { "x-service-key": key })).status).toBe(200);
    const listed = await get("/api/account/v1/list-keys", headers);
    expect(String(listed.body)).toContain(card.id);
    expect(String(listed.body)).not.toContain(key.slice("vgl_demo_".length + 4));
  });

  test("accepts scopes and an expiry, after which the key grants nothing", async () => {
    const { headers } = await holder();
    const expiresAt = stack.clock.now() + 1;
    const answer = await post("create-key", { name: "brief", scopes: WRITER, expiresAt }, headers);
    const { key, card } = json(answer) as CreatedKey;
    expect(card).toMatchObject({ scopes: WRITER, expiresAt });
    expect((await get(CPI, { "x-service-key": key })).status).toBe(200);
    stack.clock.advance(1);
    expect(statusAndBody(await get(CPI, { "x-service-key": key }))).toEqual({
      status: 401,
      body: { error: "Invalid API key" },
    });
  });

  test("ignores an Idempotency-Key, so a repeat creates another key", async () => {
    const { headers } = await holder();
    const repeated = { ...headers, "idempotency-key": "once" };
    const [first, second] = [
      await post("create-key", { name: "a" }, repeated),
      await post("create-key", { name: "a" }, repeated),
    ];
    expect((json(first) as CreatedKey).key).not.toBe((json(second) as CreatedKey).key);
    expect(second.headers["Idempotent-Replayed"]).toBeUndefined();
  });

  test.each([
    { what: "no name", body: {}, field: "name" },
    { what: "an empty name", body: { name: "" }, field: "name" },
    { what: "a name of 101 characters", body: { name: "x".repeat(101) }, field: "name" },
    { what: "a name with U+0000", body: { name: "a\u0000" }, field: "name" },
    { what: "an unknown scope", body: { name: "a", scopes: ["read", "admin"] }, field: "scopes[1]" },
    { what: "an empty list of scopes", body: { name: "a", scopes: [] }, field: "scopes" },
    { what: "an expiry in the past", body: { name: "a", expiresAt: 1 }, field: "expiresAt" },
    { what: "an expiry that is not an instant", body: { name: "a", expiresAt: "tomorrow" }, field: "expiresAt" },
  ])("answers 400 with a violation on `$field` for $what", async ({ body, field }) => {
    const { headers } = await holder();
    const answer = await post("create-key", body, headers);
    expect(statusAndBody(answer)).toEqual({
      status: 400,
      body: { violations: [{ field, description: expect.stringMatching(/\S/) }] },
    });
  });

  test("revoke-key answers 400 for a key id with U+0000", async () => {
    const { headers } = await holder();
    const description = "must not contain the character U+0000";
    expect(statusAndBody(await post("revoke-key", { keyId: "a\u0000" }, headers))).toEqual({
      status: 400,
      body: { violations: [{ field: "keyId", description }] },
    });
  });

  test("rejects an expiry equal to the current time", async () => {
    const { headers } = await holder();
    const answer = await post("create-key", { name: "a", expiresAt: stack.clock.now() }, headers);
    expect(json(answer)).toEqual({ violations: [{ field: "expiresAt", description: "must be in the future" }] });
  });

  test("refuses a scope that the caller lacks", async () => {
    const { headers } = await holder();
    const answer = await post("create-key", { name: "a", scopes: ["company_monitoring:write"] }, headers);
    expect(statusAndBody(answer)).toEqual({
      status: 403,
      body: { error: "This key lacks the scope company_monitoring:write" },
    });
  });

  test("requires account:write and logs the refusal", async () => {
    const { accountId } = await holder();
    const { keyId, headers } = await keyOf(accountId, ["read"]);
    const answer = await post("create-key", { name: "a" }, headers, "192.0.2.7");
    expect(statusAndBody(answer)).toEqual({ status: 403, body: { error: "This key lacks the scope account:write" } });
    const [newest] = await eventsOf(`account_id=${accountId}`);
    expect(newest).toMatchObject({
      action: "write.denied",
      actor: keyId,
      subject: "/api/account/v1/create-key",
      address: "192.0.2.7",
      detail: { reason: "scopeMissing" },
    });
  });

  test("answers 409 when the account has too many keys", async () => {
    const { accountId, headers } = await holder();
    for (let count = 1; count < 50; count++) await keyOf(accountId);
    const answer = await post("create-key", { name: "a" }, headers);
    const sentence = "Too many keys; revoke one first";
    expect(statusAndBody(answer)).toEqual({ status: 409, body: { error: sentence, message: sentence } });
  });

  test("only the operator can create a key for another account", async () => {
    const [caller, target] = [await holder(), await holder()];
    const request = { name: "given", accountId: target.accountId };
    expect((await post("create-key", request, caller.headers)).status).toBe(404);
    const created = await post("create-key", request, operator());
    expect(json(created)).toMatchObject({ card: { accountId: target.accountId } });
    const unknownAccount = await post("create-key", { name: "given", accountId: "acc_nobody" }, operator());
    expect(statusAndBody(unknownAccount)).toEqual({ status: 404, body: { error: "No such account" } });
  });
});

describe("revoke-key", () => {
  test("takes effect at once on the key and its sessions", async () => {
    const holderKey = await holder();
    const revokedKey = await keyOf(holderKey.accountId);
    const session = await sessionOf(revokedKey);
    expect((await get(CPI, revokedKey.headers)).status).toBe(200);
    expect((await getAccount(session)).status).toBe(200);
    const answer = await post("revoke-key", { keyId: revokedKey.keyId }, holderKey.headers);
    expect(statusAndBody(answer)).toMatchObject({
      status: 200,
      body: { card: { id: revokedKey.keyId, revokedAt: stack.clock.now() } },
    });
    expect(statusAndBody(await get(CPI, revokedKey.headers))).toEqual({
      status: 401,
      body: { error: "Invalid API key" },
    });
    expect(statusAndBody(await getAccount(session))).toEqual({ status: 401, body: { error: "Invalid session token" } });
    expect((await get(CPI, holderKey.headers)).status).toBe(200);
  });

  test("lets a key revoke itself", async () => {
    const { keyId, headers } = await holder();
    expect((await post("revoke-key", { keyId }, headers)).status).toBe(200);
    expect((await post("revoke-key", { keyId }, headers)).status).toBe(401);
  });

  test("changes nothing the second time", async () => {
    const caller = await holder();
    const { keyId } = await keyOf(caller.accountId);
    const firstAnswer = await post("revoke-key", { keyId }, caller.headers);
    stack.clock.advance(SECOND_MS);
    expect(json(await post("revoke-key", { keyId }, caller.headers))).toEqual(json(firstAnswer));
  });

  test("only the operator can revoke a key of another account; everyone else gets 404", async () => {
    const [caller, target] = [await holder(), await holder()];
    for (const body of [{ keyId: target.keyId }, { keyId: "key_nobody" }]) {
      expect(statusAndBody(await post("revoke-key", body, caller.headers))).toEqual({
        status: 404,
        body: { error: "No such key" },
      });
    }
    const { accountId, keyId } = target;
    expect((await post("revoke-key", { keyId, accountId }, caller.headers)).status).toBe(404);
    expect((await get(CPI, target.headers)).status).toBe(200);
    expect((await post("revoke-key", { keyId, accountId }, operator())).status).toBe(200);
    expect((await get(CPI, target.headers)).status).toBe(401);
  });
});

describe("the operator's paths", () => {
  test.each(["create-account", "set-plan"])("%s refuses callers other than the operator", async (name) => {
    const { headers } = await holder("enterprise");
    const answer = await post(name, { name: "x", plan: "free" }, headers);
    expect(statusAndBody(answer)).toEqual({ status: 403, body: { error: "Only the operator may do this" } });
  });

  test.each([["read"], ["company_monitoring:write"]] as const)(
    "set-plan and list-audit-events refuse a key of the operator that has only the scope %s",
    async (scope) => {
      const { headers } = await keyOf("operator", [scope]);
      const request = { accountId: "operator", plan: "free", state: "lapsed" };
      expect(statusAndBody(await post("set-plan", request, headers))).toEqual({
        status: 403,
        body: { error: "Only the operator may do this" },
      });
      expect((await get("/api/account/v1/list-audit-events", headers)).status).toBe(403);
      expect(await stack.service.access.accounts.find("operator")).toMatchObject({ planState: "active" });
    },
  );

  test.each(["list-accounts", "list-audit-events"])("%s refuses callers other than the operator", async (name) => {
    const { headers } = await holder("enterprise");
    const answer = await get(`/api/account/v1/${name}`, headers);
    expect(statusAndBody(answer)).toEqual({ status: 403, body: { error: "Only the operator may do this" } });
  });

  test("create-account creates an account, which list-accounts then returns", async () => {
    const answer = await post("create-account", { name: "New", plan: "pro", id: "new@example.org" }, operator());
    const account = {
      id: "new@example.org",
      name: "New",
      plan: "pro",
      planState: "active",
      createdAt: stack.clock.now(),
    };
    expect(statusAndBody(answer)).toEqual({ status: 201, body: { account } });
    const listed = json(await get("/api/account/v1/list-accounts", operator())) as { readonly accounts: unknown[] };
    expect(listed.accounts).toContainEqual(account);
  });

  test("create-account answers 409 for an id in use", async () => {
    const { accountId } = await holder();
    const answer = await post("create-account", { name: "New", plan: "pro", id: accountId }, operator());
    const sentence = `The account ${accountId} already exists`;
    expect(statusAndBody(answer)).toEqual({ status: 409, body: { error: sentence, message: sentence } });
  });

  test.each([
    { what: "an unknown plan", body: { name: "a", plan: "gold" }, field: "plan" },
    { what: "an id with a space", body: { name: "a", plan: "free", id: "a b" }, field: "id" },
    { what: "a name with U+0000", body: { name: "a\u0000", plan: "free" }, field: "name" },
  ])("create-account answers 400 with a violation on `$field` for $what", async ({ body, field }) => {
    const { violations } = json(await post("create-account", body, operator())) as {
      readonly violations: readonly { readonly field: string }[];
    };
    expect(violations.map((violation) => violation.field)).toEqual([field]);
  });

  test("set-plan takes effect at once", async () => {
    const { accountId, headers } = await holder("starter");
    expect((await get(CPI, headers)).status).toBe(200);
    const lapsed = { accountId, plan: "starter", state: "lapsed" };
    const answer = await post("set-plan", lapsed, operator());
    expect(statusAndBody(answer)).toMatchObject({
      status: 200,
      body: { account: { id: accountId, planState: "lapsed" } },
    });
    expect(statusAndBody(await get(CPI, headers))).toMatchObject({
      status: 403,
      body: { code: "subscription_lapsed" },
    });
    await post("set-plan", { ...lapsed, state: "active" }, operator());
    expect((await get(CPI, headers)).status).toBe(200);
  });

  test("set-plan answers 404 for an unknown account", async () => {
    const answer = await post("set-plan", { accountId: "acc_nobody", plan: "free", state: "active" }, operator());
    expect(statusAndBody(answer)).toEqual({ status: 404, body: { error: "No such account" } });
  });
});

async function eventsOf(query: string): Promise<readonly (AuditEvent & { readonly id: number })[]> {
  const answer = await get(`/api/account/v1/list-audit-events?${query}`, operator());
  expect(answer.status).toBe(200);
  return (json(answer) as { readonly events: readonly (AuditEvent & { readonly id: number })[] }).events;
}

describe("list-audit-events", () => {
  const actionsOf = async (query: string) => (await eventsOf(query)).map(({ action }) => action);

  test("returns the events of an account, newest first", async () => {
    const { accountId, headers } = await holder();
    const createdKey = json(await post("create-key", { name: "second" }, headers, "192.0.2.8")) as {
      readonly card: KeyCard;
    };
    await post("revoke-key", { keyId: createdKey.card.id }, headers);
    await post("set-plan", { accountId, plan: "free", state: "active" }, operator());
    expect(await actionsOf(`account_id=${accountId}`)).toEqual([
      "plan.changed",
      "key.revoked",
      "key.created",
      "key.created",
      "account.created",
    ]);
    const [, , created] = await eventsOf(`account_id=${accountId}`);
    expect(created).toMatchObject({ subject: createdKey.card.id, address: "192.0.2.8", at: stack.clock.now() });
  });

  test("filters by action, and by action and account together", async () => {
    const { accountId } = await holder();
    expect(await actionsOf(`account_id=${accountId}&action=key.created`)).toEqual(["key.created"]);
    expect(new Set(await actionsOf("action=account.created"))).toEqual(new Set(["account.created"]));
    expect(await eventsOf("action=nonsense")).toEqual([]);
  });

  test("pages backwards by the id of the last event", async () => {
    const { accountId } = await holder();
    for (let count = 0; count < 4; count++) await keyOf(accountId);
    const all = await eventsOf(`account_id=${accountId}`);
    const firstPage = await eventsOf(`account_id=${accountId}&limit=4`);
    const secondPage = await eventsOf(`account_id=${accountId}&limit=4&before=${firstPage.at(-1)?.id}`);
    expect([...firstPage, ...secondPage]).toEqual(all);
    expect([firstPage.length, secondPage.length]).toEqual([4, 2]);
    expect(await eventsOf(`account_id=${accountId}&before=${all.at(-1)?.id}`)).toEqual([]);
  });

  test.each(["limit", "before"])("rejects a %s that is not a whole number", async (name) => {
    for (const value of ["-1", "1.5", "ten", "1e3", "9".repeat(16)]) {
      const answer = await get(`/api/account/v1/list-audit-events?${name}=${value}`, operator());
      const description = `must be a whole number of at most 15 digits, got "${value}"`;
      expect(statusAndBody(answer)).toEqual({ status: 400, body: { violations: [{ field: name, description }] } });
    }
  });

  test.each([
    ["list-accounts", "after"],
    ["list-audit-events", "action"],
  ])("%s rejects U+0000 in %s", async (rpc, name) => {
    const answer = await get(`/api/account/v1/${rpc}?${name}=a%00`, operator());
    const description = "must not contain the character U+0000";
    expect(statusAndBody(answer)).toEqual({ status: 400, body: { violations: [{ field: name, description }] } });
  });

  test("treats a limit above 200 as 200", async () => {
    const { db } = stack.service.database;
    const row = { at: 0, action: "many", actor: "test", detail: "{}", account_id: null, subject: null, address: null };
    await db
      .insertInto("audit_event")
      .values(Array.from({ length: 201 }, () => row))
      .execute();
    expect(await eventsOf("action=many&limit=1000")).toHaveLength(200);
    expect(await eventsOf("action=many")).toHaveLength(200);
  });
});

describe("sign-in", () => {
  test("a sign-in by key sets a cookie with the same access as the key", async () => {
    const signer = await holder();
    const answer = await post("sign-in", { key: signer.key }, {}, "192.0.2.20");
    expect(statusAndBody(answer)).toEqual({ status: 200, body: { expiresAt: stack.clock.now() + 12 * HOUR_MS } });
    expect(answer.headers["Set-Cookie"]).toMatch(
      /^vigil_session=vgs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    );
    expect(answer.headers["Cache-Control"]).toBe("no-store");
    expect(String(answer.body)).not.toContain("vgs_");
    expect((await get(CPI, cookieOf(answer))).status).toBe(200);
    const [newest] = await eventsOf(`account_id=${signer.accountId}`);
    expect(newest).toMatchObject({ action: "signed-in", actor: signer.keyId, address: "192.0.2.20" });
  });

  test("a session ends 12 hours after the sign-in", async () => {
    const session = await sessionOf(await holder());
    stack.clock.advance(12 * HOUR_MS - 1);
    expect((await get(CPI, session)).status).toBe(200);
    stack.clock.advance(1);
    expect(statusAndBody(await get(CPI, session))).toEqual({ status: 401, body: { error: "Invalid session token" } });
  });

  test("a sign-in by link works once", async () => {
    const link = await stack.service.access.signInLink();
    const answer = await post("sign-in", { link }, {}, "192.0.2.21");
    expect(answer.status).toBe(200);
    expect(json(await getAccount(cookieOf(answer)))).toMatchObject({ account: { id: "operator" } });
    const repeat = await post("sign-in", { link }, {}, "192.0.2.21");
    expect(statusAndBody(repeat)).toEqual({ status: 401, body: { error: "Invalid API key" } });
    expect(repeat.headers["Set-Cookie"]).toBeUndefined();
  });

  test("a sign-in by link works only within an hour", async () => {
    const link = await stack.service.access.signInLink();
    stack.clock.advance(HOUR_MS);
    expect((await post("sign-in", { link }, {}, "192.0.2.22")).status).toBe(401);
  });

  test("a sign-in with something other than a valid key is refused, and its address is logged", async () => {
    const signer = await holder();
    const session = (await sessionOf(signer))["cookie"]?.split("=")[1] ?? "";
    await post("revoke-key", { keyId: signer.keyId }, signer.headers);
    for (const key of [signer.key, "nonsense", session, ""]) {
      const answer = await post("sign-in", { key }, {}, "192.0.2.23");
      expect(statusAndBody(answer)).toEqual({ status: 401, body: { error: "Invalid API key" } });
      expect(answer.headers["Set-Cookie"]).toBeUndefined();
    }
    const [newest] = await eventsOf("action=sign-in.refused");
    expect(newest).toMatchObject({ actor: "anonymous", address: "192.0.2.23" });
    expect(JSON.stringify(await eventsOf("limit=20"))).not.toContain(signer.key);
  });

  test.each([{}, { key: "a", link: "b" }])("a sign-in with the body %j answers 400", async (body) => {
    const answer = await post("sign-in", body, {}, "192.0.2.24");
    expect(json(answer)).toEqual({
      violations: [{ field: "key", description: "is required if link is absent, and must be absent if link is given" }],
    });
  });

  test("an address has 30 sign-in attempts a minute", async () => {
    for (let count = 0; count < 30; count++) {
      expect((await post("sign-in", { key: "wrong" }, {}, "192.0.2.25")).status).toBe(401);
    }
    const { key } = await holder();
    expect((await post("sign-in", { key }, {}, "192.0.2.25")).status).toBe(429);
    expect((await post("sign-in", { key }, {}, "192.0.2.26")).status).toBe(200);
  });
});

describe("a call with a session cookie", () => {
  const create = async (headers: Headers) => post("create-key", { name: "by cookie" }, headers);

  test.each([
    { from: "no origin", headers: {}, status: 403 },
    { from: "the service's own origin", headers: { origin: OWN_ORIGIN }, status: 201 },
    { from: "the same origin, as reported by the browser", headers: { "sec-fetch-site": "same-origin" }, status: 201 },
    { from: "another site, as reported by the browser", headers: { "sec-fetch-site": "cross-site" }, status: 403 },
    {
      from: "another origin of the same site, as reported by the browser",
      headers: { "sec-fetch-site": "same-site" },
      status: 403,
    },
    { from: "another origin", headers: { origin: "https://evil.example" }, status: 403 },
    { from: "an opaque origin", headers: { origin: "null" }, status: 403 },
    {
      from: "another origin that is reported as the same one",
      headers: { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
      status: 403,
    },
  ])("a write by cookie from $from answers $status", async ({ headers, status }) => {
    const signer = await holder();
    const answer = await create({ ...(await sessionOf(signer)), ...headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(json(answer)).toEqual({ error: "Origin not allowed" });
    const keys = await stack.service.access.accounts.keys(signer.accountId);
    expect(keys).toHaveLength(status === 201 ? 2 : 1);
  });

  test("a write with a key in a header needs no origin, with or without a cookie", async () => {
    const signer = await holder();
    expect((await create(signer.headers)).status).toBe(201);
    expect((await create({ ...signer.headers, ...(await sessionOf(signer)) })).status).toBe(201);
  });

  test("a read by cookie needs no origin", async () => {
    expect((await getAccount(await sessionOf(await holder()))).status).toBe(200);
  });

  test("a page of another origin cannot sign a user in", async () => {
    const { key } = await holder();
    const answer = await post("sign-in", { key }, { origin: "https://evil.example" }, "192.0.2.30");
    expect(answer.status).toBe(403);
    expect(answer.headers["Set-Cookie"]).toBeUndefined();
    expect(answer.headers["Access-Control-Allow-Origin"]).toBeUndefined();
  });
});

describe("sign-out", () => {
  test("ends the session for good and clears the cookie", async () => {
    const signer = await holder();
    const session = await sessionOf(signer);
    const answer = await post("sign-out", {}, { ...session, origin: OWN_ORIGIN });
    expect(statusAndBody(answer)).toEqual({ status: 200, body: { signedOut: true } });
    expect(answer.headers["Set-Cookie"]).toBe("vigil_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    expect((await getAccount(session)).status).toBe(401);
    expect((await getAccount(signer.headers)).status).toBe(200);
    const [newest] = await eventsOf("action=signed-out");
    expect(newest).toMatchObject({ actor: signer.keyId });
  });

  test("ends the session whose token is sent as the key", async () => {
    const token = (await sessionOf(await holder()))["cookie"]?.split("=")[1] ?? "";
    expect(json(await post("sign-out", {}, { "x-service-key": token }))).toEqual({ signedOut: true });
    expect((await getAccount({ "x-service-key": token })).status).toBe(401);
  });

  test("ends nothing when the caller uses a key", async () => {
    const signer = await holder();
    const session = await sessionOf(signer);
    expect(json(await post("sign-out", {}, { ...signer.headers, ...session }))).toEqual({ signedOut: false });
    expect((await getAccount(session)).status).toBe(200);
    expect((await getAccount(signer.headers)).status).toBe(200);
  });
});

describe("list-sessions", () => {
  interface Listed {
    readonly sessions: readonly SessionCard[];
  }
  const listed = async (headers: Headers): Promise<readonly SessionCard[]> =>
    (json(await get("/api/account/v1/list-sessions", headers)) as Listed).sessions;

  test("lists the open sessions of every key of the account, newest first, without their tokens", async () => {
    const first = await holder();
    const second = await keyOf(first.accountId);
    await sessionOf(first);
    stack.clock.advance(SECOND_MS);
    const session = await sessionOf(second);
    const answer = await get("/api/account/v1/list-sessions", session);
    const now = stack.clock.now();
    expect((json(answer) as Listed).sessions).toMatchObject([
      { keyId: second.keyId, keyName: "test", createdAt: now, expiresAt: now + 12 * HOUR_MS, isCurrent: true },
      { keyId: first.keyId, createdAt: now - SECOND_MS, isCurrent: false, address: `host of ${first.keyId}` },
    ]);
    expect(answer.headers["Cache-Control"]).toBe("no-store");
    expect(String(answer.body)).not.toContain("vgs_");
    expect((await listed(first.headers)).map(({ isCurrent }) => isCurrent)).toEqual([false, false]);
  });

  test("omits sessions that have ended by sign-out, by time or with their key", async () => {
    const reader = await holder();
    const [signedOut, revoked] = [await keyOf(reader.accountId), await keyOf(reader.accountId)];
    await sessionOf(reader);
    const session = await sessionOf(signedOut);
    await sessionOf(revoked);
    expect(await listed(reader.headers)).toHaveLength(3);
    await post("sign-out", {}, { ...session, origin: OWN_ORIGIN });
    await post("revoke-key", { keyId: revoked.keyId }, reader.headers);
    expect((await listed(reader.headers)).map(({ keyId }) => keyId)).toEqual([reader.keyId]);
    stack.clock.advance(12 * HOUR_MS);
    expect(await listed(reader.headers)).toEqual([]);
  });

  test("only the operator can list the sessions of another account; everyone else gets 404", async () => {
    const [caller, target] = [await holder(), await holder()];
    await sessionOf(target);
    const path = `/api/account/v1/list-sessions?account_id=${target.accountId}`;
    expect(statusAndBody(await get(path, caller.headers))).toEqual({ status: 404, body: { error: "No such account" } });
    expect((json(await get(path, operator())) as Listed).sessions).toMatchObject([{ keyId: target.keyId }]);
  });
});

describe("end-session", () => {
  const newestOf = async ({ headers }: Holder): Promise<SessionCard> => {
    const { sessions } = json(await get("/api/account/v1/list-sessions", headers)) as {
      readonly sessions: readonly SessionCard[];
    };
    const [newest] = sessions;
    if (!newest) throw new Error("the account has no session");
    return newest;
  };

  test("ends the session at once, logs it and leaves its key valid", async () => {
    const [signer, other] = [await holder(), await holder()];
    const session = await sessionOf(signer);
    expect((await getAccount(session)).status).toBe(200);
    const card = await newestOf(signer);
    const answer = await post("end-session", { sessionId: card.id }, signer.headers);
    expect(statusAndBody(answer)).toEqual({ status: 200, body: { session: card } });
    expect(answer.headers["Set-Cookie"]).toBeUndefined();
    expect((await getAccount(session)).status).toBe(401);
    expect((await getAccount(signer.headers)).status).toBe(200);
    const [event] = await eventsOf("action=session.ended");
    expect(event).toMatchObject({ actor: signer.keyId, accountId: signer.accountId, subject: card.id });
    const again = await post("end-session", { sessionId: card.id }, signer.headers);
    expect(statusAndBody(again)).toEqual({ status: 404, body: { error: "No such session" } });
    expect((await post("end-session", { sessionId: card.id }, other.headers)).status).toBe(404);
  });

  test("clears the cookie of a browser that ends its own session", async () => {
    const signer = await holder();
    const session = await sessionOf(signer);
    const { id } = await newestOf(signer);
    const answer = await post("end-session", { sessionId: id }, { ...session, origin: OWN_ORIGIN });
    expect(json(answer)).toMatchObject({ session: { isCurrent: true } });
    expect(answer.headers["Set-Cookie"]).toMatch(/^vigil_session=; .*Max-Age=0/);
    expect((await getAccount(session)).status).toBe(401);
  });

  test.each(["", "ses_", "ses_%", `ses_${"0".repeat(24)}`, `ses_${"_".repeat(24)}`])(
    "answers 404 for the id %j",
    async (sessionId) => {
      const signer = await holder();
      await sessionOf(signer);
      expect((await post("end-session", { sessionId }, signer.headers)).status).toBe(404);
      expect((await newestOf(signer)).keyId).toBe(signer.keyId);
    },
  );

  test("needs the scope account:write", async () => {
    const signer = await holder();
    const reader = await keyOf(signer.accountId, ["read"]);
    await sessionOf(signer);
    const { id } = await newestOf(reader);
    expect((await post("end-session", { sessionId: id }, reader.headers)).status).toBe(403);
  });
});

describe("plan-events", () => {
  interface SignedEvent {
    readonly body: string;
    readonly headers: Headers;
  }
  const secondsNow = (): number => stack.clock.now() / SECOND_MS;
  // Signatures contain times in whole seconds.
  beforeEach(() => stack.clock.set(Math.ceil(secondsNow()) * SECOND_MS));

  function signed(event: object, at = secondsNow(), secret = SECRET): SignedEvent {
    const body = JSON.stringify(event);
    const signature = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
    return { body, headers: { ...JSON_BODY, "x-vigil-signature": `t=${at},v1=${signature}` } };
  }

  const send = ({ body, headers }: SignedEvent, of = stack) =>
    call(of.answer, "POST", "/api/account/v1/plan-events", headers, { body });

  const lapse = (accountId: string, eventId = `evt of ${accountId}`) => ({
    eventId,
    accountId,
    plan: "starter",
    state: "lapsed",
  });

  test("applies a signed event to the plan at once and logs it", async () => {
    const { accountId, headers } = await holder();
    expect((await get(CPI, headers)).status).toBe(200);
    const answer = await send(signed(lapse(accountId)));
    expect(statusAndBody(answer)).toMatchObject({
      status: 200,
      body: { account: { id: accountId, planState: "lapsed" } },
    });
    expect((await get(CPI, headers)).status).toBe(403);
    const [newest] = await eventsOf(`account_id=${accountId}`);
    expect(newest).toMatchObject({ action: "plan.changed", actor: "plan events" });
  });

  test.each([
    { age: "five minutes old", seconds: -300, status: 200 },
    { age: "five minutes and a second old", seconds: -301, status: 401 },
    { age: "five minutes ahead", seconds: 300, status: 200 },
    { age: "five minutes and a second ahead", seconds: 301, status: 401 },
  ])("answers $status for a signature that is $age", async ({ seconds, status }) => {
    const { accountId } = await holder();
    const answer = await send(signed(lapse(accountId), secondsNow() + seconds));
    expect(answer.status).toBe(status);
    const account = await stack.service.access.accounts.find(accountId);
    expect(account?.planState).toBe(status === 200 ? "lapsed" : "active");
  });

  test("answers 400 for a signed event whose account id has U+0000", async () => {
    const description = "must not contain the character U+0000";
    expect(statusAndBody(await send(signed(lapse("a\u0000", "evt with U+0000"))))).toEqual({
      status: 400,
      body: { violations: [{ field: "accountId", description }] },
    });
  });

  const forgeries: Readonly<Record<string, (sent: SignedEvent) => SignedEvent>> = {
    "no signature": ({ body }) => ({ body, headers: JSON_BODY }),
    "the signature of another secret": ({ body }) => signed(JSON.parse(body), secondsNow(), "another"),
    "a body that was changed": ({ body, headers }) => ({ body: body.replace("lapsed", "active"), headers }),
    "a time that was changed": ({ body, headers }) => ({
      body,
      headers: { ...headers, "x-vigil-signature": (headers["x-vigil-signature"] ?? "").replace("t=", "t=0") },
    }),
    "a signature in upper case": ({ body, headers }) => ({
      body,
      headers: { ...headers, "x-vigil-signature": (headers["x-vigil-signature"] ?? "").toUpperCase() },
    }),
    "a signature cut short": ({ body, headers }) => ({
      body,
      headers: { ...headers, "x-vigil-signature": (headers["x-vigil-signature"] ?? "").slice(0, -1) },
    }),
  };
  test.each(Object.entries(forgeries))("answers 401 to %s and changes nothing", async (_, forge) => {
    const { accountId } = await holder();
    expect(statusAndBody(await send(forge(signed(lapse(accountId)))))).toEqual({
      status: 401,
      body: { error: "Invalid signature" },
    });
    expect(await stack.service.access.accounts.find(accountId)).toMatchObject({ plan: "starter", planState: "active" });
  });

  test("does not apply a repeated event again, and returns the answer of the first time", async () => {
    const { accountId } = await holder();
    const firstAnswer = await send(signed(lapse(accountId)));
    await post("set-plan", { accountId, plan: "business", state: "active" }, operator());
    // Longer than the 24 hours for which answers to requests with an `Idempotency-Key` are stored.
    stack.clock.advance(2 * DAY_MS);
    const repeat = await send(signed(lapse(accountId)));
    expect(statusAndBody(repeat)).toEqual(statusAndBody(firstAnswer));
    expect(await stack.service.access.accounts.find(accountId)).toMatchObject({
      plan: "business",
      planState: "active",
    });
  });

  test("answers 409 to another body under the same event id", async () => {
    const { accountId } = await holder();
    const event = lapse(accountId, `evt other ${accountId}`);
    expect((await send(signed(event))).status).toBe(200);
    const answer = await send(signed({ ...event, state: "active" }));
    const sentence = `Event ${event.eventId} was sent before with another body`;
    expect(statusAndBody(answer)).toEqual({ status: 409, body: { error: sentence, message: sentence } });
    expect(await stack.service.access.accounts.find(accountId)).toMatchObject({ planState: "lapsed" });
  });

  test("refuses an event of an unknown account, and accepts the same event once the account exists", async () => {
    const event = signed(lapse("acc_soon"));
    expect(statusAndBody(await send(event))).toEqual({ status: 404, body: { error: "No such account" } });
    await stack.service.access.accounts.create({ id: "acc_soon", name: "Soon", plan: "starter" }, by);
    expect((await send(event)).status).toBe(200);
  });

  test("answers 404 when no secret is configured", async () => {
    const plain = await startStack();
    try {
      const { headers } = await holder("starter", "active", plain);
      const sent = signed(lapse("acc_1"));
      const answer = await send({ ...sent, headers: { ...sent.headers, ...headers } }, plain);
      expect(statusAndBody(answer)).toEqual({ status: 404, body: { error: "Not found" } });
      // Authentication comes first, as for every unknown path.
      expect((await send(sent, plain)).status).toBe(401);
    } finally {
      await plain.close();
    }
  });
});

describe("oauth/token", () => {
  const token = (form: Headers, headers: Headers = FORM, from = "192.0.2.50") =>
    call(stack.answer, "POST", "/oauth/token", headers, { body: new URLSearchParams(form).toString(), from });
  const basic = (text: string): Headers => ({
    ...FORM,
    authorization: `Basic ${Buffer.from(text).toString("base64")}`,
  });
  const grant = { grant_type: "client_credentials" };

  test.each(["form", "Basic", "header"] as const)("issues a token for a key sent by %s", async (where) => {
    const { accountId, keyId, key, headers } = await holder();
    const answer = await {
      form: () => token({ ...grant, client_id: "any", client_secret: key }),
      Basic: () => token(grant, basic(`any:${key}`)),
      header: () => token(grant, { ...FORM, ...headers }),
    }[where]();
    expect(statusAndBody(answer)).toEqual({
      status: 200,
      body: {
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: "Bearer",
        expires_in: 900,
        scope: "read account:write",
      },
    });
    expect(answer.headers).toMatchObject({ "Cache-Control": "no-store", Pragma: "no-cache" });
    const [newest] = await eventsOf(`account_id=${accountId}`);
    expect(newest).toMatchObject({ action: "token.issued", actor: keyId, address: "192.0.2.50" });
  });

  test.each([
    { what: "no key", form: grant, headers: FORM },
    { what: "an unknown key", form: { ...grant, client_secret: "nonsense" }, headers: FORM },
    { what: "an unknown key as Basic", form: grant, headers: basic("any:nonsense") },
    { what: "malformed Basic credentials", form: grant, headers: { ...FORM, authorization: "Basic ???" } },
  ])("answers invalid_client for $what", async ({ form, headers }) => {
    const answer = await token(form, headers);
    expect(statusAndBody(answer)).toEqual({ status: 401, body: { error: "invalid_client" } });
    expect(answer.headers["WWW-Authenticate"]).toBe('Basic realm="vigil"');
  });

  test("answers invalid_client for a revoked key and for a session", async () => {
    const signer = await holder();
    const session = (await sessionOf(signer))["cookie"]?.split("=")[1] ?? "";
    expect((await token({ ...grant, client_secret: session })).status).toBe(401);
    await post("revoke-key", { keyId: signer.keyId }, signer.headers);
    expect(statusAndBody(await token({ ...grant, client_secret: signer.key }))).toEqual({
      status: 401,
      body: { error: "invalid_client" },
    });
  });

  test.each(["password", "authorization_code"])("rejects the grant %j as unsupported", async (grant_type) => {
    const { key } = await holder();
    const answer = await token({ grant_type, client_secret: key });
    expect(statusAndBody(answer)).toMatchObject({ status: 400, body: { error: "unsupported_grant_type" } });
  });

  test.each([
    ["no grant_type", "", "grant_type is required"],
    ["an empty grant_type", "grant_type=&client_id=any", "grant_type is required"],
    ["a repeated grant_type", "grant_type=a&grant_type=b", "grant_type must be given once, got 2 values"],
    ["a client_id that is too long", `grant_type=a&client_id=${"x".repeat(257)}`, expect.stringMatching(/^client_id /)],
    ["U+0000 in a parameter", "grant_type=a&client_id=%00", expect.stringMatching(/^client_id /)],
  ])("answers invalid_request for %s", async (_what, body, message) => {
    const answer = await call(stack.answer, "POST", "/oauth/token", FORM, { body, from: "192.0.2.50" });
    expect(statusAndBody(answer)).toEqual({ status: 400, body: { error: "invalid_request", message } });
    expect(answer.headers["Cache-Control"]).toBe("no-store");
  });

  test("ignores an empty client_secret and repeated parameters that it does not know", async () => {
    const { headers } = await holder();
    const body = "grant_type=client_credentials&client_secret=&resource=a&resource=b";
    const answer = await call(
      stack.answer,
      "POST",
      "/oauth/token",
      { ...FORM, ...headers },
      { body, from: "192.0.2.50" },
    );
    expect(answer.status).toBe(200);
  });

  test("answers invalid_request for a JSON body", async () => {
    const { key } = await holder();
    const body = JSON.stringify({ ...grant, client_secret: key });
    const answer = await call(stack.answer, "POST", "/oauth/token", JSON_BODY, { body, from: "192.0.2.51" });
    expect(statusAndBody(answer)).toEqual({
      status: 400,
      body: { error: "invalid_request", message: expect.stringContaining("application/x-www-form-urlencoded") },
    });
  });

  test("caches may not keep the public keys until the first key is two minutes old", async () => {
    const fresh = await startStack({ datasets: [] });
    try {
      const published = async () => {
        const answer = await fresh.get("/.well-known/jwks.json", {});
        const { keys } = json(answer) as { readonly keys: readonly object[] };
        return [keys.length, answer.headers["Cache-Control"]];
      };
      expect(await published()).toEqual([0, "no-cache"]);
      await fresh.service.access.tokens.issue(fresh.service.access.ownerKey.key ?? "");
      expect(await published()).toEqual([1, "no-cache"]);
      fresh.clock.advance(2 * MINUTE_MS);
      expect(await published()).toEqual([1, "public, max-age=60"]);
    } finally {
      await fresh.close();
    }
  });

  test("the service publishes its public keys without their private halves", async () => {
    const { key } = await holder();
    expect((await token({ ...grant, client_secret: key })).status).toBe(200);
    const answer = await get("/.well-known/jwks.json", {});
    expect(answer.status).toBe(200);
    const { keys } = json(answer) as { readonly keys: readonly Headers[] };
    expect(keys.length).toBeGreaterThan(0);
    for (const jwk of keys) {
      expect(jwk["kid"]).toMatch(/\S/);
      for (const secret of ["d", "p", "q", "dp", "dq", "qi", "k"]) expect(jwk).not.toHaveProperty(secret);
    }
  });
});

describe("a service behind https", () => {
  let secure: Stack;
  beforeAll(async () => {
    secure = await startStack({ env: { VIGIL_PUBLIC_URL: "https://vigil.example/" } });
  }, 60_000);
  afterAll(() => secure.close());

  test("marks cookies Secure, including those that clear a session", async () => {
    const signer = await holder("starter", "active", secure);
    const signedIn = await post("sign-in", { key: signer.key }, {}, "192.0.2.60", secure);
    expect(signedIn.headers["Set-Cookie"]).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure$/);
    const headers = { ...cookieOf(signedIn), origin: "https://vigil.example" };
    const signedOut = await post("sign-out", {}, headers, "192.0.2.60", secure);
    expect(signedOut.headers["Set-Cookie"]).toMatch(/; Max-Age=0; Secure$/);
  });
});
