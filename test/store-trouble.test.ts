import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accountsOf } from "../src/access/accounts.js";
import { BUDGETS_MS_MAX } from "../src/app/budget-uses.js";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import type { Pipeline } from "../src/http/pipeline.js";
import { MINUTE_MS, SECOND_MS } from "../src/kit/clock.js";
import {
  ACCOUNT,
  askToken,
  byCookie,
  byKey,
  issueToken,
  makeAccount,
  makeKey,
  PRO_PROBE,
  post,
  type TestAccount,
  withProbes,
} from "./support/accounts.js";
import { call, json, type Stack, startStack } from "./support/stack.js";
import { availableStores, type OpenStore } from "./support/stores.js";
import { startTcpProxy, type TcpProxy } from "./support/tcp-proxy.js";

test("a store that accepts no writes is reported by readyz and by both forms of health, and reads continue", async () => {
  const stack = await startStack({ datasets: ["us-cpi"] });
  try {
    await stack.run("us-cpi");
    await stack.service.registry.refresh();
    expect((await stack.get("/readyz")).status).toBe(200);
    expect(json(await stack.get("/api/health"))).toMatchObject({ store: { kind: "sqlite", trouble: null } });

    await stack.service.database.db.schema.dropTable("lease").execute();
    await stack.service.watch.check();

    const trouble = "the store cannot be reached";
    const ready = await stack.get("/readyz");
    expect(ready.status).toBe(503);
    expect(json(ready)).toMatchObject({ status: "not ready", reason: trouble });
    for (const path of ["/api/health", "/api/health?compact=1"]) {
      expect(json(await stack.get(path))).toMatchObject({ status: "degraded", store: { trouble } });
    }
    expect((await stack.get("/api/economic/v1/get-us-cpi-monthly")).status).toBe(200);
  } finally {
    await stack.close();
  }
});

test("a damaged token key in the store affects no other token key, and health names the damaged key", async () => {
  const stack = await startStack({ datasets: ["us-cpi"] });
  try {
    const owner = stack.service.access.ownerKey.key ?? "";
    const before = await issueToken(stack, owner);
    const row = { kid: "damaged", private_jwk: '{"d":', public_jwk: '{"x":', created_at: stack.clock.now() };
    await stack.service.database.db.insertInto("token_key").values(row).execute();
    await stack.restart();
    const after = await issueToken(stack, owner);
    for (const token of [before, after]) {
      expect(await stack.service.access.tokens.verify(token)).toMatchObject({ kind: "bearer" });
    }
    expect(json(await stack.get("/.well-known/jwks.json", {}))).toMatchObject({ keys: [{ kty: "EC" }] });
    expect(json(await stack.get("/api/health", { "x-service-key": owner }))).toMatchObject({
      unreadableTokenKeys: ["damaged"],
    });
  } finally {
    await stack.close();
  }
});

test("full health lists the budgets as unknown while they cannot be read, and reports them afterwards", async () => {
  const stack = await startStack({ datasets: ["us-cpi"] });
  try {
    const { schema } = stack.service.database.db;
    await schema.alterTable("budget").renameTo("lost_budget").execute();
    const lost = await stack.get("/api/health");
    expect(lost.status).toBe(200);
    expect(json(lost)).toMatchObject({
      budgets: null,
      unknown: [{ member: "budgets", why: "the store cannot be reached" }],
    });
    await schema.alterTable("lost_budget").renameTo("budget").execute();
    expect(json(await stack.get("/api/health"))).toMatchObject({
      budgets: expect.arrayContaining([expect.objectContaining({ name: "aviationstack" })]),
      unknown: [],
    });
  } finally {
    await stack.close();
  }
});

const postgres = (await availableStores()).find(({ name }) => name === "postgres");
/** A key that is verified without the database. */
const OPERATOR_KEY = "operator-key-0123456789abcdef";
const skipReason = postgres ? postgres.skipReason : "there is no PostgreSQL suite";

describe.skipIf(skipReason !== undefined)(`with PostgreSQL lost${skipReason ? `, skipped: ${skipReason}` : ""}`, () => {
  let store: OpenStore;
  let proxy: TcpProxy;
  let stack: Stack;
  beforeEach(async () => {
    if (!postgres) throw new Error("the suite is skipped without PostgreSQL");
    store = await postgres.open();
    const url = new URL(store.url ?? "");
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${proxy.port}`;
    const env = { DATABASE_URL: url.href, VIGIL_ENTERPRISE_KEYS: OPERATOR_KEY };
    stack = await startStack({ datasets: ["us-cpi"], env });
    await stack.run("us-cpi");
    await stack.service.registry.refresh();
  });
  const fullHealth = () => stack.get("/api/health", { "x-service-key": OPERATOR_KEY });
  afterEach(async () => {
    proxy.thaw();
    await stack.close();
    await proxy.close();
    await store.dispose();
  });

  test("full health answers within its time limit while the server hangs, and is complete again afterwards", async () => {
    proxy.freeze();
    const asking = fullHealth();
    await expect.poll(() => stack.clock.sleeping).toBeGreaterThan(0);
    stack.clock.advance(BUDGETS_MS_MAX);
    const answers = [await asking, await fullHealth()];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(json(answer)).toMatchObject({
        datasets: [{ name: "us-cpi", state: "ok" }],
        budgets: null,
        unknown: [
          { member: "budgets", why: "the store did not answer within 2 s" },
          { member: "services", why: "the store did not answer within 2 s" },
        ],
      });
    }
    expect(json(await stack.get("/api/health?compact=1"))).toMatchObject({ store: { kind: "postgres" } });
    proxy.thaw();
    await expect
      .poll(async () => json(await fullHealth()))
      .toMatchObject({
        budgets: expect.arrayContaining([expect.objectContaining({ name: "aviationstack" })]),
        unknown: [],
      });
  });

  test("reads and writes of companies answer 503 while every connection is refused", async () => {
    const headers = { "x-service-key": OPERATOR_KEY };
    const company = { name: "Lost Ltd", domicileCountry: "DOMICILE_COUNTRY_GB" };
    const path = "/api/company-monitoring/v1";
    await proxy.close();
    proxy.cut();
    const answers = [
      await stack.get(`${path}/list-monitored-companies`, headers),
      await call(stack.answer, "POST", `${path}/create-monitored-company`, headers, {
        body: JSON.stringify({ company }),
      }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.headers["Retry-After"]]).toEqual([503, "5"]);
      expect(json(answer)).toMatchObject({ error: "the store cannot be reached" });
    }
  });

  describe("access", () => {
    const PRICES = "/api/economic/v1/get-us-cpi-monthly";
    let account: TestAccount;
    let pro: Pipeline;
    const reads = (): Readonly<Record<string, () => Promise<IdentifiedAnswer>>> => ({
      "a key": () => stack.get(PRICES, byKey(account.reader)),
      "a session": () => stack.get(PRICES, byCookie(account.session)),
      "a token": () => call(pro, "GET", PRO_PROBE, { authorization: `Bearer ${account.token}` }),
      "a batch": () =>
        post(stack.answer, "/api/batch/v1/execute", { operations: [{ path: PRICES }] }, byKey(account.reader)),
      "a tool call": () =>
        post(
          stack.answer,
          "/mcp",
          { jsonrpc: "2.0", id: 1, method: "tools/list" },
          { ...byKey(account.reader), accept: "application/json, text/event-stream" },
        ),
    });
    const statuses = async (): Promise<Readonly<Record<string, number>>> => {
      const answers: Record<string, number> = {};
      for (const [name, read] of Object.entries(reads())) answers[name] = (await read()).status;
      return answers;
    };
    const allRead = { "a key": 200, "a session": 200, "a token": 200, "a batch": 200, "a tool call": 200 };

    beforeEach(async () => {
      account = await makeAccount(stack, "Seen", "business");
      pro = withProbes(stack);
      expect(await statuses()).toEqual(allRead);
      // The cached lookups have expired, so each further call looks up its credential again.
      stack.clock.advance(MINUTE_MS);
    });

    test("known credentials are accepted for reads while every connection is refused; other keys and all writes get 503", async () => {
      const unseen = await makeKey(stack, account.id, "unseen", ["read"]);
      await proxy.close();
      expect(await statuses()).toEqual(allRead);
      const refused = [
        await stack.get(PRICES, byKey(unseen)),
        await post(stack.answer, `${ACCOUNT}/create-key`, { name: "lost", scopes: ["read"] }, byKey(account.manager)),
        await askToken(stack, { client_secret: account.manager.key }),
      ];
      for (const answer of refused) {
        expect([answer.status, answer.headers["Retry-After"]]).toEqual([503, "5"]);
      }
    });

    test("known credentials are accepted for reads while the server hangs; the first call waits one second", async () => {
      proxy.freeze();
      const first = stack.get(PRICES, byKey(account.reader));
      await expect.poll(() => stack.clock.sleeping).toBeGreaterThan(0);
      stack.clock.advance(SECOND_MS);
      expect((await first).status).toBe(200);
      expect(await statuses()).toEqual(allRead);
    });

    test("once the server answers again, known credentials that another node has revoked are refused", async () => {
      proxy.freeze();
      const first = stack.get(PRICES, byKey(account.manager));
      await expect.poll(() => stack.clock.sleeping).toBeGreaterThan(0);
      stack.clock.advance(SECOND_MS);
      expect((await first).status).toBe(200);
      const others = accountsOf(await store.openAgain(), "vgl_demo_", stack.clock.now);
      await others.revokeKey(account.id, account.manager.card.id, { actor: "another node" });
      expect((await stack.get(PRICES, byKey(account.manager))).status).toBe(200);
      proxy.thaw();
      await stack.service.access.credentials.refresh();
      expect(await statuses()).toEqual({ ...allRead, "a session": 401, "a token": 401 });
      expect((await stack.get(PRICES, byKey(account.manager))).status).toBe(401);
    });
  });

  test("full health answers while every connection is refused, and names the problem of the store", async () => {
    await proxy.close();
    proxy.cut();
    await stack.service.watch.check();
    const answer = await fullHealth();
    expect(answer.status).toBe(200);
    expect(json(answer)).toMatchObject({
      status: "degraded",
      store: { kind: "postgres", trouble: "the store cannot be reached" },
      datasets: [{ name: "us-cpi", state: "ok" }],
      budgets: null,
      unknown: [
        { member: "budgets", why: "the store cannot be reached" },
        { member: "services", why: "the store cannot be reached" },
      ],
    });
  });
});
