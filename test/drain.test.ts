import { readFile } from "node:fs/promises";
import { Agent } from "node:http";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { freePort, processRoomForEach, type VigilProcess } from "./support/process.js";
import { type CallResult, calledAt } from "./support/worker-service.js";

const WAIT = { timeout: 120_000, interval: 20 };
const DRAIN_SECONDS = 2;
const VERSION = "/api/version";
const room = processRoomForEach("drain");

interface Draining {
  readonly process: VigilProcess;
  call(path: string, agent?: Agent): Promise<CallResult>;
}

/** Starts a service that drains for two seconds. */
async function started(args: readonly string[]): Promise<Draining> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const process = room.start(["serve", ...args], {
    VIGIL_DATA_DIR: room.folder,
    VIGIL_PORT: String(port),
    VIGIL_UPSTREAM_BASE: "http://127.0.0.1:1",
    VIGIL_DRAIN_SECONDS: String(DRAIN_SECONDS),
    VIGIL_LOG_LEVEL: "error",
  });
  const isReady = (): Promise<boolean> =>
    fetch(`${base}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isReady, WAIT);
  // `/readyz` answers as soon as one worker is ready. The greeting contains `base` and is printed when all workers are
  // ready.
  await vi.waitUntil(() => process.printed().includes(base), WAIT);
  const key = (await readFile(join(room.folder, "owner.key"), "utf8")).trim();
  return { process, call: (path, agent = new Agent()) => calledAt(base + path, key, agent) };
}

test.each([
  { name: "one process", args: [] },
  { name: "two workers", args: ["--workers", "2"] },
])(
  "$name: for VIGIL_DRAIN_SECONDS after SIGTERM, answers close their connections, and /readyz answers 503",
  async ({ args }) => {
    const { process, call } = await started(args);
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await call(VERSION, kept)).headers["connection"]).not.toBe("close");
    const sentAt = performance.now();
    process.child.kill("SIGTERM");
    // Several calls, because new connections go to the workers in turn.
    const states = () => Promise.all(Array.from({ length: 8 }, () => call("/readyz")));
    await vi.waitUntil(async () => (await states()).every(({ status }) => status === 503), WAIT);
    let calls = 0;
    // The loop ends half a second before the end of the drain, so that the last calls are still answered.
    while (performance.now() - sentAt < DRAIN_SECONDS * 1_000 - 500) {
      const answers = [await call(VERSION), await call(VERSION, kept), await call("/livez")];
      expect(answers.map(({ status, headers }) => [status, headers["connection"]])).toEqual(
        Array(3).fill([200, "close"]),
      );
      calls += answers.length;
    }
    expect(calls).toBeGreaterThan(0);
    expect(await process.ended).toBe(0);
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(DRAIN_SECONDS * 1_000);
    await expect(call("/livez")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  },
  240_000,
);

test("SIGINT does not drain, and a second SIGTERM ends a drain at once", async () => {
  const interrupted = await started([]);
  interrupted.process.child.kill("SIGINT");
  expect(await interrupted.process.ended).toBe(0);
  const impatient = await started([]);
  impatient.process.child.kill("SIGTERM");
  await vi.waitUntil(async () => (await impatient.call("/readyz")).status === 503, WAIT);
  impatient.process.child.kill("SIGTERM");
  expect(await impatient.process.ended).toBe("SIGTERM");
}, 240_000);
