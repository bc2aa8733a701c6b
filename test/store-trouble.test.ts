import { expect, test } from "vitest";
import { json, startStack } from "./support/stack.js";

test("a store that takes no writes is told by readyz and by both forms of health, and reads go on", async () => {
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
