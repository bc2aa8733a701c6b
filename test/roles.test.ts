import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { freePort, processRoomForEach } from "./support/process.js";
import { type Stack, startStack } from "./support/stack.js";

const WAIT = { timeout: 50_000, interval: 50 };
const CPI = "/api/economic/v1/get-us-cpi-monthly";

describe("in one process", () => {
  let stack: Stack | undefined;
  afterEach(async () => {
    await stack?.close();
    stack = undefined;
  });

  test("an ingest node builds datasets and answers only the monitoring paths", async () => {
    stack = await startStack({ env: { VIGIL_ROLE: "ingest" }, datasets: ["us-cpi"] });
    const { service, get } = stack;
    service.start();
    await vi.waitUntil(() => service.registry.generation(dataset(stack, "us-cpi")) !== undefined, WAIT);
    const statuses = await Promise.all(
      ["/livez", "/readyz", "/metrics", "/api/health", CPI, "/openapi.json", "/", "/api/datasets", "/mcp"].map(
        async (path) => [path, (await get(path)).status],
      ),
    );
    expect(statuses).toEqual([
      ["/livez", 200],
      ["/readyz", 200],
      ["/metrics", 200],
      ["/api/health", 200],
      [CPI, 404],
      ["/openapi.json", 404],
      ["/", 404],
      ["/api/datasets", 404],
      ["/mcp", 404],
    ]);
    expect(String((await get("/metrics")).body)).not.toContain(CPI);
  });

  test("an API node calls no upstream on its own and runs no job, however long it runs", async () => {
    stack = await startStack({ env: { VIGIL_ROLE: "api" } });
    const { service, clock, simulator, get } = stack;
    service.start();
    // An API node has four loops: snapshots, requests, access and the check of the store.
    await vi.waitUntil(() => clock.sleeping === 4, WAIT);
    clock.advance(3 * 3_600_000);
    await vi.waitUntil(() => clock.sleeping === 4, WAIT);
    expect(simulator.requests.list()).toEqual([]);
    expect((await get(CPI)).headers["X-Vigil-State"]).toBe("absent");
  });
});

function dataset(stack: Stack | undefined, name: string) {
  if (stack === undefined) throw new Error("no stack");
  return stack.dataset(name);
}

const room = processRoomForEach("roles");

test("an API process serves the builds of an ingest process in the same folder, and both end on SIGTERM", async () => {
  const start = async (
    role: string,
  ): Promise<{ readonly base: string; readonly ended: Promise<unknown>; end(): void }> => {
    const port = await freePort();
    const { child, ended } = room.start(["demo", "--role", role], {
      VIGIL_DATA_DIR: room.folder,
      VIGIL_PORT: String(port),
      VIGIL_LOG_LEVEL: "error",
    });
    const base = `http://127.0.0.1:${port}`;
    await vi.waitUntil(
      () =>
        fetch(`${base}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      WAIT,
    );
    return { base, ended, end: () => void child.kill("SIGTERM") };
  };
  const api = await start("api");
  const key = (await readFile(join(room.folder, "owner.key"), "utf8")).trim();
  const state = async ({ base }: { readonly base: string }): Promise<string | null> =>
    (await fetch(base + CPI, { headers: { "X-Service-Key": key } })).headers.get("x-vigil-state");
  expect(await state(api)).toBe("absent");
  const ingest = await start("ingest");
  await vi.waitUntil(async () => (await state(api)) === "ok", WAIT);
  expect(await state(ingest)).toBeNull();
  for (const node of [api, ingest]) node.end();
  expect(await Promise.all([api.ended, ingest.ended])).toEqual([0, 0]);
});
