import { expect, test } from "vitest";
import { issueToken } from "./support/accounts.js";
import { json, startStack } from "./support/stack.js";

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
