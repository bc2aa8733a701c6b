import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startPlainUpstream } from "../../bench/plain-upstream.mjs";
import { loadServices } from "../../src/services/registry.js";
import { freePort, processRoomForEach, type VigilProcess } from "../support/process.js";

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const YIELDS = "/api/economic/v1/get-us-treasury-par-yield-curve";
const MINUTES = 60_000;

const room = processRoomForEach("start");

function start(args: readonly string[], env: Readonly<Record<string, string>>): VigilProcess {
  return room.start(args, { VIGIL_DATA_DIR: room.folder, ...env });
}

const ready = (base: string): Promise<boolean> =>
  vi.waitUntil(
    () =>
      fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { timeout: 20_000, interval: 20 },
  );

async function get(base: string, path: string): Promise<{ headers: Headers; body: Record<string, unknown> }> {
  const key = (await readFile(join(room.folder, "owner.key"), "utf8")).trim();
  const answer = await fetch(base + path, { headers: { "X-Service-Key": key } });
  expect(answer.status).toBe(200);
  return { headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
}

interface DatasetHealth {
  readonly name: string;
  readonly state: string;
  readonly stateReasons: readonly string[];
  readonly error: string | null;
}

test("a service without a network starts, reports absent data with the reason, keeps trying and reads the upstream once it is reachable", async () => {
  const [port, upstreamPort] = [await freePort(), await freePort()];
  const base = `http://127.0.0.1:${port}`;
  const upstreamBase = `http://127.0.0.1:${upstreamPort}`;
  start(["serve"], { VIGIL_PORT: String(port), VIGIL_UPSTREAM_BASE: upstreamBase });
  await ready(base);

  for (const [path, list] of [
    [CPI, "months"],
    [YIELDS, "curves"],
  ] as const) {
    const { headers, body } = await get(base, path);
    expect(body).toEqual({ [list]: [], unavailable: true });
    expect([headers.get("cache-control"), headers.get("x-vigil-state")]).toEqual(["no-store", "absent"]);
    expect(headers.get("x-vigil-data")).toBeNull();
  }
  await vi.waitFor(async () => {
    const { body } = await get(base, "/api/health");
    for (const { name, state, stateReasons, error } of body["datasets"] as DatasetHealth[]) {
      // The dataset news-feeds is never absent, because the state of each feed is part of its content.
      expect(state).toBe(name === "news-feeds" ? "partial" : "absent");
      expect(error ?? stateReasons.join()).toMatch(
        /unavailable: .*\bno connection\b|of \d+ feeds, of which \d+ failed .*\bno connection\b|none of the \d+ feeds could be read; .*\bno connection\b|held by the gate: no\b|needs [A-Z_]+/,
      );
    }
  }, 20_000);

  const upstream = await startPlainUpstream({ port: upstreamPort });
  try {
    for (const path of [CPI, YIELDS]) {
      await vi.waitUntil(async () => (await get(base, path)).headers.get("x-vigil-state") === "ok", {
        timeout: 5 * MINUTES,
        interval: 500,
      });
      expect((await get(base, path)).body["unavailable"]).toBe(false);
    }
  } finally {
    await upstream.close();
  }
});

test("the demo labels every operation's answer as simulated, and prints an example call and a sign-in link", async () => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const demo = start(["demo"], { VIGIL_PORT: String(port) });
  await vi.waitUntil(() => /us-treasury-yields\s+ok/.test(demo.output()), { timeout: 20_000, interval: 50 });
  const key = (await readFile(join(room.folder, "owner.key"), "utf8")).trim();
  expect(key).toMatch(/^vgl_demo_[0-9a-f]{48}$/);
  expect(demo.output()).toContain(`curl -H "X-Service-Key: ${key}" ${base}${CPI}`);
  expect(demo.output()).toMatch(new RegExp(`${base}/sign-in#[A-Za-z0-9_-]{43}\n`));
  const { operations } = await loadServices();
  const paths = operations.map(({ path, operation }) => `${path}?${new URLSearchParams(operation.examples[0])}`);
  expect(paths.length).toBeGreaterThanOrEqual(24);
  for (const path of paths) {
    await vi.waitUntil(async () => (await get(base, path)).headers.get("x-vigil-state") === "ok", { timeout: 20_000 });
    expect((await get(base, path)).headers.get("x-vigil-data")).toBe("simulated");
  }
  demo.child.kill("SIGTERM");
  expect(await demo.ended).toBe(0);
});

test("the demo and the service refuse to start on each other's folder", async () => {
  const port = String(await freePort());
  const demo = start(["demo"], { VIGIL_PORT: port });
  await ready(`http://127.0.0.1:${port}`);
  demo.child.kill("SIGTERM");
  await demo.ended;
  const real = start(["serve"], { VIGIL_PORT: port });
  expect(await real.ended).toBe(1);
  expect(real.output()).toMatch(/^vigil: This store holds simulated data/m);

  const realFolder = await mkdtemp(join(tmpdir(), "vigil-real-"));
  const ownerKey = start(["owner-key", "--create"], { VIGIL_DATA_DIR: realFolder });
  expect(await ownerKey.ended).toBe(0);
  const demoOnReal = start(["demo"], { VIGIL_PORT: port, VIGIL_DATA_DIR: realFolder });
  expect(await demoOnReal.ended).toBe(1);
  expect(demoOnReal.output()).toMatch(/^vigil: This store holds real data/m);
  await rm(realFolder, { recursive: true });
});

test("simulated answers never enter a real store, regardless of VIGIL_UPSTREAM_BASE", async () => {
  const port = await freePort();
  const simulator = start(["simulate", "--port", String(port)], {});
  await vi.waitUntil(() => simulator.output().includes("Simulated upstreams at"), { timeout: 20_000 });
  const ingest = start(["ingest", "all", "--create"], { VIGIL_UPSTREAM_BASE: `http://127.0.0.1:${port}` });
  expect(await ingest.ended).toBe(1);
  expect(ingest.output()).toMatch(/simulated/);
  expect(ingest.output()).toMatch(/us-cpi\s+absent/);
});

test("`vigil ingest` builds a dataset while a service runs; the service serves the build within seconds, and `vigil datasets` shows it", async () => {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const upstream = await startPlainUpstream();
  try {
    const env = { VIGIL_UPSTREAM_BASE: upstream.baseUrl };
    start(["serve"], { VIGIL_PORT: String(port), VIGIL_UPSTREAM_BASE: "http://127.0.0.1:1" });
    await ready(base);
    await vi.waitUntil(async () => {
      const { body } = await get(base, "/api/health");
      return (body["datasets"] as DatasetHealth[]).every(({ state, error }) => state !== "absent" || error !== null);
    }, 20_000);
    const ingest = start(["ingest", "us-cpi"], env);
    expect(await ingest.ended).toBe(0);
    expect(ingest.output()).toMatch(/us-cpi: headline CPIAUCSL ok \d+ rows/);
    await vi.waitUntil(async () => (await get(base, CPI)).headers.get("x-vigil-state") === "ok", 20_000);
    const datasets = start(["datasets"], { VIGIL_URL: base });
    expect(await datasets.ended).toBe(0);
    expect(datasets.output()).toMatch(/us-cpi\s+ok\s+1\s+\d+/);
  } finally {
    await upstream.close();
  }
});
