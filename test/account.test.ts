import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { KeyCard } from "../src/access/accounts.js";
import type { AuditEvent } from "../src/access/audit-log.js";
import type { PlanKey, PlanState } from "../src/contract/access/plans.js";
import type { Scope } from "../src/contract/access/scopes.js";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../src/kit/clock.js";
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

/** A key of this account, or of the operator. */
async function keyOf(accountId: string, scopes: readonly Scope[] = WRITER, of = stack): Promise<Holder> {
  const wanted = { accountId, name: "test", scopes: new Set(scopes), expiresAt: null };
  const made = await of.service.access.accounts.createKey(wanted, by);
  if (typeof made === "string") throw new Error(made);
  return { accountId, keyId: made.card.id, key: made.key, headers: { "x-service-key": made.key } };
}

/** A key of a new account on this plan. */
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
  const given = { ...JSON_BODY, ...headers };
  return call(of.answer, "POST", `/api/account/v1/${name}`, given, { body: JSON.stringify(body), from });
}

function getAccount(headers: Headers): Promise<IdentifiedAnswer> {
  return get("/api/account/v1/get-account", headers);
}

/** An answer's status beside its body. */
const seen = (answer: IdentifiedAnswer) => ({ status: answer.status, body: json(answer) });

/** The Cookie header that a browser would send after an answer. */
function cookieOf(answer: IdentifiedAnswer): Headers {
  return { cookie: (answer.headers["Set-Cookie"] ?? "").split(";")[0] ?? "" };
}

/** The cookie of a session of this key; each key signs in from an address of its own, for the limit of attempts. */
async function sessionOf({ key, keyId }: Holder): Promise<Headers> {
  const answer = await post("sign-in", { key }, {}, `host of ${keyId}`);
  expect(answer.status).toBe(200);
  return cookieOf(answer);
}

describe("get-account", () => {
  test("tells the account, the credential and what it opens", async () => {
    const { accountId, headers } = await holder("business");
    const answer = await getAccount(headers);
    expect(seen(answer)).toEqual({
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

  test("by session it says so", async () => {
    const { accountId, ...one } = await holder("starter");
    const answer = await getAccount(await sessionOf({ accountId, ...one }));
    expect(json(answer)).toMatchObject({ credential: "session", account: { id: accountId } });
  });

  test("without a credential it is a 401", async () => {
    expect(seen(await getAccount({}))).toEqual({ status: 401, body: { error: "API key required" } });
  });
});

describe("an account whose plan opens nothing", () => {
  test.each([
    { plan: "starter", state: "lapsed" },
    { plan: "starter", state: "renewal-pending" },
    { plan: "free", state: "active" },
    { plan: "pro", state: "active" },
  ] as const)("still sees and changes what is its own: $plan $state", async ({ plan, state }) => {
    const { accountId, headers } = await holder(plan, state);
    expect((await get(CPI, headers)).status).toBe(403);
    for (const name of ["get-account", "get-usage", "list-keys"]) {
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

  test("tells each limit of the plan, in its numbers", async () => {
    const { headers } = await holder("starter");
    await get(CPI, headers);
    const now = stack.clock.now();
    expect(seen(await get("/api/account/v1/get-usage", headers))).toEqual({
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

  test("costs nothing of the plan's allowance, nor does any path about the account", async () => {
    const { headers } = await holder("starter");
    expect(await usedOf(headers)).toEqual({ account: 0, daily: 0 });
    await getAccount(headers);
    await get("/api/account/v1/list-keys", headers);
    expect(await usedOf(headers)).toEqual({ account: 0, daily: 0 });
    await get(CPI, headers);
    expect(await usedOf(headers)).toEqual({ account: 1, daily: 1 });
  });

  test("is the same for all keys of the account", async () => {
    const one = await holder("starter");
    const other = await keyOf(one.accountId);
    await get(CPI, one.headers);
    await get(CPI, other.headers);
    expect(await usedOf(other.headers)).toEqual({ account: 2, daily: 2 });
  });
});

describe("list-keys", () => {
  const keysOf = (answer: IdentifiedAnswer) => (json(answer) as { readonly keys: readonly KeyCard[] }).keys;

  test("shows the cards of the account's keys, and no key", async () => {
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

  test("of another account is the operator's right alone, and to others it is not there", async () => {
    const [one, other] = [await holder(), await holder()];
    const path = `/api/account/v1/list-keys?account_id=${other.accountId}`;
    expect(seen(await get(path, one.headers))).toEqual({ status: 404, body: { error: "No such account" } });
    expect(keysOf(await get(path, operator())).map(({ id }) => id)).toEqual([other.keyId]);
    expect(keysOf(await get(path, other.headers)).map(({ id }) => id)).toEqual([other.keyId]);
  });
});

describe("create-key", () => {
  interface Made {
    readonly key: string;
    readonly card: KeyCard;
  }

  test("shows the key once; it works, and carries read unless asked otherwise", async () => {
    const { accountId, headers } = await holder();
    const answer = await post("create-key", { name: "second" }, headers);
    const { key, card } = json(answer) as Made;
    expect(answer.status).toBe(201);
    expect(answer.headers["Cache-Control"]).toBe("no-store");
    expect(card).toMatchObject({ accountId, name: "second", scopes: ["read"], expiresAt: null, revokedAt: null });
    expect((await get(CPI, { "x-service-key": key })).status).toBe(200);
    const listed = await get("/api/account/v1/list-keys", headers);
    expect(String(listed.body)).toContain(card.id);
    expect(String(listed.body)).not.toContain(key.slice("vgl_demo_".length + 4));
  });

  test("takes scopes and an end; from then on the key opens nothing", async () => {
    const { headers } = await holder();
    const expiresAt = stack.clock.now() + 1;
    const answer = await post("create-key", { name: "brief", scopes: WRITER, expiresAt }, headers);
    const { key, card } = json(answer) as Made;
    expect(card).toMatchObject({ scopes: WRITER, expiresAt });
    expect((await get(CPI, { "x-service-key": key })).status).toBe(200);
    stack.clock.advance(1);
    expect(seen(await get(CPI, { "x-service-key": key }))).toEqual({ status: 401, body: { error: "Invalid API key" } });
  });

  test("ignores an Idempotency-Key: a repeat makes another key", async () => {
    const { headers } = await holder();
    const repeated = { ...headers, "idempotency-key": "once" };
    const [first, second] = [
      await post("create-key", { name: "a" }, repeated),
      await post("create-key", { name: "a" }, repeated),
    ];
    expect((json(first) as Made).key).not.toBe((json(second) as Made).key);
    expect(second.headers["Idempotent-Replayed"]).toBeUndefined();
  });

  test.each([
    { what: "no name", body: {}, field: "name" },
    { what: "an empty name", body: { name: "" }, field: "name" },
    { what: "a name of 101 characters", body: { name: "x".repeat(101) }, field: "name" },
    { what: "an unknown scope", body: { name: "a", scopes: ["read", "admin"] }, field: "scopes[1]" },
    { what: "no scope at all", body: { name: "a", scopes: [] }, field: "scopes" },
    { what: "an end in the past", body: { name: "a", expiresAt: 1 }, field: "expiresAt" },
    { what: "an end that is no instant", body: { name: "a", expiresAt: "tomorrow" }, field: "expiresAt" },
  ])("$what is a 400 on $field", async ({ body, field }) => {
    const { headers } = await holder();
    const answer = await post("create-key", body, headers);
    expect(seen(answer)).toEqual({
      status: 400,
      body: { violations: [{ field, description: expect.stringMatching(/\S/) }] },
    });
  });

  test("an end that is just now is in the past", async () => {
    const { headers } = await holder();
    const answer = await post("create-key", { name: "a", expiresAt: stack.clock.now() }, headers);
    expect(json(answer)).toEqual({ violations: [{ field: "expiresAt", description: "must be in the future" }] });
  });

  test("gives no scope that the caller lacks", async () => {
    const { headers } = await holder();
    const answer = await post("create-key", { name: "a", scopes: ["company_monitoring:write"] }, headers);
    expect(seen(answer)).toEqual({
      status: 403,
      body: { error: "This key lacks the scope company_monitoring:write" },
    });
  });

  test("needs account:write, and the refusal is in the audit log", async () => {
    const { accountId } = await holder();
    const { keyId, headers } = await keyOf(accountId, ["read"]);
    const answer = await post("create-key", { name: "a" }, headers, "192.0.2.7");
    expect(seen(answer)).toEqual({ status: 403, body: { error: "This key lacks the scope account:write" } });
    const [newest] = await eventsOf(`account_id=${accountId}`);
    expect(newest).toMatchObject({
      action: "write.denied",
      actor: keyId,
      subject: "/api/account/v1/create-key",
      address: "192.0.2.7",
      detail: { reason: "scopeMissing" },
    });
  });

  test("is a 409 when the account has too many", async () => {
    const { accountId, headers } = await holder();
    for (let count = 1; count < 50; count++) await keyOf(accountId);
    const answer = await post("create-key", { name: "a" }, headers);
    const sentence = "Too many keys; revoke one first";
    expect(seen(answer)).toEqual({ status: 409, body: { error: sentence, message: sentence } });
  });

  test("for another account is the operator's right alone", async () => {
    const [one, other] = [await holder(), await holder()];
    const wanted = { name: "given", accountId: other.accountId };
    expect((await post("create-key", wanted, one.headers)).status).toBe(404);
    const made = await post("create-key", wanted, operator());
    expect(json(made)).toMatchObject({ card: { accountId: other.accountId } });
    const nobody = await post("create-key", { name: "given", accountId: "acc_nobody" }, operator());
    expect(seen(nobody)).toEqual({ status: 404, body: { error: "No such account" } });
  });
});

describe("revoke-key", () => {
  test("takes effect at once, on the key and its sessions", async () => {
    const one = await holder();
    const other = await keyOf(one.accountId);
    const session = await sessionOf(other);
    expect((await get(CPI, other.headers)).status).toBe(200);
    expect((await getAccount(session)).status).toBe(200);
    const answer = await post("revoke-key", { keyId: other.keyId }, one.headers);
    expect(seen(answer)).toMatchObject({
      status: 200,
      body: { card: { id: other.keyId, revokedAt: stack.clock.now() } },
    });
    expect(seen(await get(CPI, other.headers))).toEqual({ status: 401, body: { error: "Invalid API key" } });
    expect(seen(await getAccount(session))).toEqual({ status: 401, body: { error: "Invalid session token" } });
    expect((await get(CPI, one.headers)).status).toBe(200);
  });

  test("a key may end itself", async () => {
    const { keyId, headers } = await holder();
    expect((await post("revoke-key", { keyId }, headers)).status).toBe(200);
    expect((await post("revoke-key", { keyId }, headers)).status).toBe(401);
  });

  test("a second time changes nothing", async () => {
    const one = await holder();
    const { keyId } = await keyOf(one.accountId);
    const first = await post("revoke-key", { keyId }, one.headers);
    stack.clock.advance(SECOND_MS);
    expect(json(await post("revoke-key", { keyId }, one.headers))).toEqual(json(first));
  });

  test("of another account is not there, but for the operator", async () => {
    const [one, other] = [await holder(), await holder()];
    for (const body of [{ keyId: other.keyId }, { keyId: "key_nobody" }]) {
      expect(seen(await post("revoke-key", body, one.headers))).toEqual({
        status: 404,
        body: { error: "No such key" },
      });
    }
    const { accountId, keyId } = other;
    expect((await post("revoke-key", { keyId, accountId }, one.headers)).status).toBe(404);
    expect((await get(CPI, other.headers)).status).toBe(200);
    expect((await post("revoke-key", { keyId, accountId }, operator())).status).toBe(200);
    expect((await get(CPI, other.headers)).status).toBe(401);
  });
});

describe("the operator's paths", () => {
  test.each(["create-account", "set-plan"])("%s is not for others", async (name) => {
    const { headers } = await holder("enterprise");
    const answer = await post(name, { name: "x", plan: "free" }, headers);
    expect(seen(answer)).toEqual({ status: 403, body: { error: "Only the operator may do this" } });
  });

  test.each([["read"], ["company_monitoring:write"]] as const)(
    "a key of the operator that carries %s alone has no part in them",
    async (scope) => {
      const { headers } = await keyOf("operator", [scope]);
      const wanted = { accountId: "operator", plan: "free", state: "lapsed" };
      expect(seen(await post("set-plan", wanted, headers))).toEqual({
        status: 403,
        body: { error: "Only the operator may do this" },
      });
      expect((await get("/api/account/v1/list-audit-events", headers)).status).toBe(403);
      expect(await stack.service.access.accounts.find("operator")).toMatchObject({ planState: "active" });
    },
  );

  test.each(["list-accounts", "list-audit-events"])("%s is not for others", async (name) => {
    const { headers } = await holder("enterprise");
    const answer = await get(`/api/account/v1/${name}`, headers);
    expect(seen(answer)).toEqual({ status: 403, body: { error: "Only the operator may do this" } });
  });

  test("create-account makes an account, which is then listed", async () => {
    const answer = await post("create-account", { name: "New", plan: "pro", id: "new@example.org" }, operator());
    const account = {
      id: "new@example.org",
      name: "New",
      plan: "pro",
      planState: "active",
      createdAt: stack.clock.now(),
    };
    expect(seen(answer)).toEqual({ status: 201, body: { account } });
    const listed = json(await get("/api/account/v1/list-accounts", operator())) as { readonly accounts: unknown[] };
    expect(listed.accounts).toContainEqual(account);
  });

  test("create-account with a taken id is a 409", async () => {
    const { accountId } = await holder();
    const answer = await post("create-account", { name: "New", plan: "pro", id: accountId }, operator());
    const sentence = `There is an account ${accountId} already`;
    expect(seen(answer)).toEqual({ status: 409, body: { error: sentence, message: sentence } });
  });

  test.each([
    { what: "an unknown plan", body: { name: "a", plan: "gold" }, field: "plan" },
    { what: "an id with a space", body: { name: "a", plan: "free", id: "a b" }, field: "id" },
  ])("create-account with $what is a 400 on $field", async ({ body, field }) => {
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
    expect(seen(answer)).toMatchObject({ status: 200, body: { account: { id: accountId, planState: "lapsed" } } });
    expect(seen(await get(CPI, headers))).toMatchObject({ status: 403, body: { code: "subscription_lapsed" } });
    await post("set-plan", { ...lapsed, state: "active" }, operator());
    expect((await get(CPI, headers)).status).toBe(200);
  });

  test("set-plan of nobody is a 404", async () => {
    const answer = await post("set-plan", { accountId: "acc_nobody", plan: "free", state: "active" }, operator());
    expect(seen(answer)).toEqual({ status: 404, body: { error: "No such account" } });
  });
});

async function eventsOf(query: string): Promise<readonly (AuditEvent & { readonly id: number })[]> {
  const answer = await get(`/api/account/v1/list-audit-events?${query}`, operator());
  expect(answer.status).toBe(200);
  return (json(answer) as { readonly events: readonly (AuditEvent & { readonly id: number })[] }).events;
}

describe("list-audit-events", () => {
  const actionsOf = async (query: string) => (await eventsOf(query)).map(({ action }) => action);

  test("shows what was done to an account, newest first", async () => {
    const { accountId, headers } = await holder();
    const made = json(await post("create-key", { name: "second" }, headers, "192.0.2.8")) as { readonly card: KeyCard };
    await post("revoke-key", { keyId: made.card.id }, headers);
    await post("set-plan", { accountId, plan: "free", state: "active" }, operator());
    expect(await actionsOf(`account_id=${accountId}`)).toEqual([
      "plan.changed",
      "key.revoked",
      "key.created",
      "key.created",
      "account.created",
    ]);
    const [, , created] = await eventsOf(`account_id=${accountId}`);
    expect(created).toMatchObject({ subject: made.card.id, address: "192.0.2.8", at: stack.clock.now() });
  });

  test("narrows by action, and by action and account together", async () => {
    const { accountId } = await holder();
    expect(await actionsOf(`account_id=${accountId}&action=key.created`)).toEqual(["key.created"]);
    expect(new Set(await actionsOf("action=account.created"))).toEqual(new Set(["account.created"]));
    expect(await eventsOf("action=nonsense")).toEqual([]);
  });

  test("pages by the id of the last event", async () => {
    const { accountId } = await holder();
    for (let count = 0; count < 4; count++) await keyOf(accountId);
    const all = await eventsOf(`account_id=${accountId}`);
    const first = await eventsOf(`account_id=${accountId}&limit=4`);
    const second = await eventsOf(`account_id=${accountId}&limit=4&before=${first.at(-1)?.id}`);
    expect([...first, ...second]).toEqual(all);
    expect([first.length, second.length]).toEqual([4, 2]);
    expect(await eventsOf(`account_id=${accountId}&before=${all.at(-1)?.id}`)).toEqual([]);
  });

  test.each(["limit", "before"])("%s must be a whole number", async (name) => {
    for (const value of ["-1", "1.5", "ten", "1e3", "9".repeat(16)]) {
      const answer = await get(`/api/account/v1/list-audit-events?${name}=${value}`, operator());
      const description = `must be a whole number, got "${value}"`;
      expect(seen(answer)).toEqual({ status: 400, body: { violations: [{ field: name, description }] } });
    }
  });

  test("a limit above 200 counts as 200", async () => {
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

describe("signing in", () => {
  test("by key sets a cookie that opens what the key opens", async () => {
    const one = await holder();
    const answer = await post("sign-in", { key: one.key }, {}, "192.0.2.20");
    expect(seen(answer)).toEqual({ status: 200, body: { expiresAt: stack.clock.now() + 12 * HOUR_MS } });
    expect(answer.headers["Set-Cookie"]).toMatch(
      /^vigil_session=vgs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    );
    expect(answer.headers["Cache-Control"]).toBe("no-store");
    expect(String(answer.body)).not.toContain("vgs_");
    expect((await get(CPI, cookieOf(answer))).status).toBe(200);
    const [newest] = await eventsOf(`account_id=${one.accountId}`);
    expect(newest).toMatchObject({ action: "signed-in", actor: one.keyId, address: "192.0.2.20" });
  });

  test("ends after 12 hours", async () => {
    const session = await sessionOf(await holder());
    stack.clock.advance(12 * HOUR_MS - 1);
    expect((await get(CPI, session)).status).toBe(200);
    stack.clock.advance(1);
    expect(seen(await get(CPI, session))).toEqual({ status: 401, body: { error: "Invalid session token" } });
  });

  test("by link works once", async () => {
    const link = await stack.service.access.signInLink();
    const answer = await post("sign-in", { link }, {}, "192.0.2.21");
    expect(answer.status).toBe(200);
    expect(json(await getAccount(cookieOf(answer)))).toMatchObject({ account: { id: "operator" } });
    const again = await post("sign-in", { link }, {}, "192.0.2.21");
    expect(seen(again)).toEqual({ status: 401, body: { error: "Invalid API key" } });
    expect(again.headers["Set-Cookie"]).toBeUndefined();
  });

  test("by link works within an hour", async () => {
    const link = await stack.service.access.signInLink();
    stack.clock.advance(HOUR_MS);
    expect((await post("sign-in", { link }, {}, "192.0.2.22")).status).toBe(401);
  });

  test("is refused for what is no key of an account, and the log says from where", async () => {
    const one = await holder();
    const session = (await sessionOf(one))["cookie"]?.split("=")[1] ?? "";
    await post("revoke-key", { keyId: one.keyId }, one.headers);
    for (const key of [one.key, "nonsense", session, ""]) {
      const answer = await post("sign-in", { key }, {}, "192.0.2.23");
      expect(seen(answer)).toEqual({ status: 401, body: { error: "Invalid API key" } });
      expect(answer.headers["Set-Cookie"]).toBeUndefined();
    }
    const [newest] = await eventsOf("action=sign-in.refused");
    expect(newest).toMatchObject({ actor: "anonymous", address: "192.0.2.23" });
    expect(JSON.stringify(await eventsOf("limit=20"))).not.toContain(one.key);
  });

  test.each([{}, { key: "a", link: "b" }])("with %j is a 400", async (body) => {
    const answer = await post("sign-in", body, {}, "192.0.2.24");
    expect(json(answer)).toEqual({
      violations: [{ field: "key", description: "either key or link must be given" }],
    });
  });

  test("is limited to 30 attempts a minute from an address", async () => {
    for (let count = 0; count < 30; count++) {
      expect((await post("sign-in", { key: "wrong" }, {}, "192.0.2.25")).status).toBe(401);
    }
    const { key } = await holder();
    expect((await post("sign-in", { key }, {}, "192.0.2.25")).status).toBe(429);
    expect((await post("sign-in", { key }, {}, "192.0.2.26")).status).toBe(200);
  });
});

describe("writing by cookie", () => {
  const create = async (headers: Headers) => post("create-key", { name: "by cookie" }, headers);

  test.each([
    { from: "no origin", headers: {}, status: 403 },
    { from: "the service's own origin", headers: { origin: OWN_ORIGIN }, status: 201 },
    { from: "the same origin, as the browser says", headers: { "sec-fetch-site": "same-origin" }, status: 201 },
    { from: "another site, as the browser says", headers: { "sec-fetch-site": "cross-site" }, status: 403 },
    { from: "the same site only", headers: { "sec-fetch-site": "same-site" }, status: 403 },
    { from: "a foreign origin", headers: { origin: "https://evil.example" }, status: 403 },
    { from: "a hidden origin", headers: { origin: "null" }, status: 403 },
    {
      from: "a foreign origin that claims to be the same",
      headers: { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
      status: 403,
    },
  ])("from $from is $status", async ({ headers, status }) => {
    const one = await holder();
    const answer = await create({ ...(await sessionOf(one)), ...headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(json(answer)).toEqual({ error: "Origin not allowed" });
    const keys = await stack.service.access.accounts.keys(one.accountId);
    expect(keys).toHaveLength(status === 201 ? 2 : 1);
  });

  test("a key in a header needs no origin, with a cookie beside it or without", async () => {
    const one = await holder();
    expect((await create(one.headers)).status).toBe(201);
    expect((await create({ ...one.headers, ...(await sessionOf(one)) })).status).toBe(201);
  });

  test("reading by cookie needs no origin", async () => {
    expect((await getAccount(await sessionOf(await holder()))).status).toBe(200);
  });

  test("a foreign page cannot sign anybody in either", async () => {
    const { key } = await holder();
    const answer = await post("sign-in", { key }, { origin: "https://evil.example" }, "192.0.2.30");
    expect(answer.status).toBe(403);
    expect(answer.headers["Set-Cookie"]).toBeUndefined();
    expect(answer.headers["Access-Control-Allow-Origin"]).toBeUndefined();
  });
});

describe("signing out", () => {
  test("ends the session for good and takes the cookie away", async () => {
    const one = await holder();
    const session = await sessionOf(one);
    const answer = await post("sign-out", {}, { ...session, origin: OWN_ORIGIN });
    expect(seen(answer)).toEqual({ status: 200, body: { signedOut: true } });
    expect(answer.headers["Set-Cookie"]).toBe("vigil_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    expect((await getAccount(session)).status).toBe(401);
    expect((await getAccount(one.headers)).status).toBe(200);
    const [newest] = await eventsOf("action=signed-out");
    expect(newest).toMatchObject({ actor: one.keyId });
  });

  test("works with the session as the key", async () => {
    const token = (await sessionOf(await holder()))["cookie"]?.split("=")[1] ?? "";
    expect(json(await post("sign-out", {}, { "x-service-key": token }))).toEqual({ signedOut: true });
    expect((await getAccount({ "x-service-key": token })).status).toBe(401);
  });

  test("with a key ends nothing", async () => {
    const one = await holder();
    const session = await sessionOf(one);
    expect(json(await post("sign-out", {}, { ...one.headers, ...session }))).toEqual({ signedOut: false });
    expect((await getAccount(session)).status).toBe(200);
    expect((await getAccount(one.headers)).status).toBe(200);
  });
});

describe("plan-events", () => {
  interface Sent {
    readonly body: string;
    readonly headers: Headers;
  }
  const secondsNow = (): number => stack.clock.now() / SECOND_MS;
  // Signatures tell whole seconds.
  beforeEach(() => stack.clock.set(Math.ceil(secondsNow()) * SECOND_MS));

  function signed(event: object, at = secondsNow(), secret = SECRET): Sent {
    const body = JSON.stringify(event);
    const signature = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
    return { body, headers: { ...JSON_BODY, "x-vigil-signature": `t=${at},v1=${signature}` } };
  }

  const send = ({ body, headers }: Sent, of = stack) =>
    call(of.answer, "POST", "/api/account/v1/plan-events", headers, { body });

  const lapse = (accountId: string, eventId = `evt of ${accountId}`) => ({
    eventId,
    accountId,
    plan: "starter",
    state: "lapsed",
  });

  test("a signed event changes the plan at once, with its event in the log", async () => {
    const { accountId, headers } = await holder();
    expect((await get(CPI, headers)).status).toBe(200);
    const answer = await send(signed(lapse(accountId)));
    expect(seen(answer)).toMatchObject({ status: 200, body: { account: { id: accountId, planState: "lapsed" } } });
    expect((await get(CPI, headers)).status).toBe(403);
    const [newest] = await eventsOf(`account_id=${accountId}`);
    expect(newest).toMatchObject({ action: "plan.changed", actor: "plan events" });
  });

  test.each([
    { age: "five minutes old", seconds: -300, status: 200 },
    { age: "a second more", seconds: -301, status: 401 },
    { age: "five minutes ahead", seconds: 300, status: 200 },
    { age: "a second more ahead", seconds: 301, status: 401 },
  ])("a signature that is $age: $status", async ({ seconds, status }) => {
    const { accountId } = await holder();
    const answer = await send(signed(lapse(accountId), secondsNow() + seconds));
    expect(answer.status).toBe(status);
    const account = await stack.service.access.accounts.find(accountId);
    expect(account?.planState).toBe(status === 200 ? "lapsed" : "active");
  });

  const forgeries: Readonly<Record<string, (sent: Sent) => Sent>> = {
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
  test.each(Object.entries(forgeries))("%s is a 401 and changes nothing", async (_, forge) => {
    const { accountId } = await holder();
    expect(seen(await send(forge(signed(lapse(accountId)))))).toEqual({
      status: 401,
      body: { error: "Invalid signature" },
    });
    expect(await stack.service.access.accounts.find(accountId)).toMatchObject({ plan: "starter", planState: "active" });
  });

  test("a repeat gets the first answer and is not applied again", async () => {
    const { accountId } = await holder();
    const first = await send(signed(lapse(accountId)));
    await post("set-plan", { accountId, plan: "business", state: "active" }, operator());
    stack.clock.advance(SECOND_MS);
    const repeat = await send(signed(lapse(accountId)));
    expect(seen(repeat)).toEqual(seen(first));
    expect(await stack.service.access.accounts.find(accountId)).toMatchObject({
      plan: "business",
      planState: "active",
    });
  });

  test("another body under the same id is a 409", async () => {
    const { accountId } = await holder();
    const event = lapse(accountId, `evt other ${accountId}`);
    expect((await send(signed(event))).status).toBe(200);
    const answer = await send(signed({ ...event, state: "active" }));
    const sentence = `Event ${event.eventId} was another before`;
    expect(seen(answer)).toEqual({ status: 409, body: { error: sentence, message: sentence } });
    expect(await stack.service.access.accounts.find(accountId)).toMatchObject({ planState: "lapsed" });
  });

  test("an event of an account that does not exist yet works when it does", async () => {
    const event = signed(lapse("acc_soon"));
    expect(seen(await send(event))).toEqual({ status: 404, body: { error: "No such account" } });
    await stack.service.access.accounts.create({ id: "acc_soon", name: "Soon", plan: "starter" }, by);
    expect((await send(event)).status).toBe(200);
  });

  test("without the secret the path is not there", async () => {
    const plain = await startStack();
    try {
      const { headers } = await holder("starter", "active", plain);
      const sent = signed(lapse("acc_1"));
      const answer = await send({ ...sent, headers: { ...sent.headers, ...headers } }, plain);
      expect(seen(answer)).toEqual({ status: 404, body: { error: "Not found" } });
      // As for every unknown path, who is calling comes first.
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

  test.each(["form", "Basic", "header"] as const)("gives a token for a key in the %s", async (where) => {
    const { accountId, keyId, key, headers } = await holder();
    const answer = await {
      form: () => token({ ...grant, client_id: "any", client_secret: key }),
      Basic: () => token(grant, basic(`any:${key}`)),
      header: () => token(grant, { ...FORM, ...headers }),
    }[where]();
    expect(seen(answer)).toEqual({
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
    { what: "Basic that is none", form: grant, headers: { ...FORM, authorization: "Basic ???" } },
  ])("$what is invalid_client", async ({ form, headers }) => {
    const answer = await token(form, headers);
    expect(seen(answer)).toEqual({ status: 401, body: { error: "invalid_client" } });
    expect(answer.headers["WWW-Authenticate"]).toBe('Basic realm="vigil"');
  });

  test("a revoked key, or a session, is invalid_client", async () => {
    const one = await holder();
    const session = (await sessionOf(one))["cookie"]?.split("=")[1] ?? "";
    expect((await token({ ...grant, client_secret: session })).status).toBe(401);
    await post("revoke-key", { keyId: one.keyId }, one.headers);
    expect(seen(await token({ ...grant, client_secret: one.key }))).toEqual({
      status: 401,
      body: { error: "invalid_client" },
    });
  });

  test.each(["password", "authorization_code", ""])("the grant %j is unsupported", async (grant_type) => {
    const { key } = await holder();
    const answer = await token({ grant_type, client_secret: key });
    expect(seen(answer)).toMatchObject({ status: 400, body: { error: "unsupported_grant_type" } });
  });

  test("a form without a grant names it", async () => {
    expect(json(await token({}))).toEqual({ violations: [{ field: "grant_type", description: "is required" }] });
  });

  test("a JSON body is refused", async () => {
    const { key } = await holder();
    const body = JSON.stringify({ ...grant, client_secret: key });
    const answer = await call(stack.answer, "POST", "/oauth/token", JSON_BODY, { body, from: "192.0.2.51" });
    expect(seen(answer)).toEqual({ status: 400, body: { message: "Invalid request body" } });
  });

  test("the public keys are there for all, without their private half", async () => {
    const { key } = await holder();
    expect((await token({ ...grant, client_secret: key })).status).toBe(200);
    const answer = await get("/.well-known/jwks.json", {});
    expect(answer.status).toBe(200);
    expect(answer.headers["Cache-Control"]).toBe("public, max-age=600");
    const { keys } = json(answer) as { readonly keys: readonly Headers[] };
    expect(keys.length).toBeGreaterThan(0);
    for (const jwk of keys) {
      expect(jwk["kid"]).toMatch(/\S/);
      for (const secret of ["d", "p", "q", "dp", "dq", "qi", "k"]) expect(jwk).not.toHaveProperty(secret);
    }
  });
});

describe("behind https", () => {
  let secure: Stack;
  beforeAll(async () => {
    secure = await startStack({ env: { VIGIL_PUBLIC_URL: "https://vigil.example/" } });
  }, 60_000);
  afterAll(() => secure.close());

  test("cookies are Secure, and those that take them away as well", async () => {
    const one = await holder("starter", "active", secure);
    const opened = await post("sign-in", { key: one.key }, {}, "192.0.2.60", secure);
    expect(opened.headers["Set-Cookie"]).toMatch(/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure$/);
    const headers = { ...cookieOf(opened), origin: "https://vigil.example" };
    const left = await post("sign-out", {}, headers, "192.0.2.60", secure);
    expect(left.headers["Set-Cookie"]).toMatch(/; Max-Age=0; Secure$/);
  });
});
