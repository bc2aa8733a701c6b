import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BUDGETS_MS_MAX } from "../src/app/budget-uses.js";
import { issueToken } from "./support/accounts.js";
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

test("a damaged token key in the store disables only itself, and health names it", async () => {
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

  test("full health answers within its limit while the server hangs, and is complete again afterwards", async () => {
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
