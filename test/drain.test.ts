import { readFile } from "node:fs/promises";
import { Agent } from "node:http";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { allFeeds } from "../src/services/news/catalogue/topic-feeds.js";
import { freePort, processRoomForEach, type VigilProcess } from "./support/process.js";
import { copyMigratedStore } from "./support/stores.js";
import { type CallResult, calledAt } from "./support/worker-service.js";

const WAIT = { timeout: 120_000, interval: 20 };
const SHORT_DRAIN_SECONDS = 1;
/** Longer than the time limit of a test, so that a drain can only end by a second signal. */
const LONG_DRAIN_SECONDS = 300;
const VERSION = "/api/version";
/** A feed setting that removes every feed, because failing feed builds would delay every answer. */
const withoutFeeds = JSON.stringify({ remove: allFeeds.map(({ id }) => id) });
const room = processRoomForEach("drain");

interface Draining {
  readonly process: VigilProcess;
  call(path: string, agent?: Agent): Promise<CallResult>;
}

/** Starts a service that drains for this time after SIGTERM. */
async function started(args: readonly string[], drainSeconds: number): Promise<Draining> {
  await copyMigratedStore(room.folder);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const process = room.start(["serve", ...args], {
    VIGIL_DATA_DIR: room.folder,
    VIGIL_PORT: String(port),
    VIGIL_UPSTREAM_BASE: "http://127.0.0.1:1",
    VIGIL_DRAIN_SECONDS: String(drainSeconds),
    VIGIL_LOG_LEVEL: "error",
    VIGIL_FEEDS: withoutFeeds,
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

const forms = [
  { name: "one process", args: [] },
  { name: "two workers", args: ["--workers", "2"] },
];

test.each(forms)(
  "$name: while the service drains, answers close their connections and /readyz answers 503, until a second SIGTERM",
  async ({ args }) => {
    const { process, call } = await started(args, LONG_DRAIN_SECONDS);
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await call(VERSION, kept)).headers["connection"]).not.toBe("close");
    process.child.kill("SIGTERM");
    // Several calls, because new connections go to the workers in turn.
    const states = () => Promise.all(Array.from({ length: 8 }, () => call("/readyz")));
    await vi.waitUntil(async () => (await states()).every(({ status }) => status === 503), WAIT);
    for (let round = 0; round < 5; round += 1) {
      const answers = [await call(VERSION), await call(VERSION, kept), await call("/livez")];
      expect(answers.map(({ status, headers }) => [status, headers["connection"]])).toEqual(
        Array(3).fill([200, "close"]),
      );
      expect((await call("/readyz")).status).toBe(503);
    }
    process.child.kill("SIGTERM");
    expect(await process.ended).toBe("SIGTERM");
  },
  240_000,
);

test.each(forms)(
  "$name: after SIGTERM, the service ends with code 0, but not before VIGIL_DRAIN_SECONDS have passed",
  async ({ args }) => {
    const { process, call } = await started(args, SHORT_DRAIN_SECONDS);
    const sentAt = performance.now();
    process.child.kill("SIGTERM");
    expect(await process.ended).toBe(0);
    expect(performance.now() - sentAt).toBeGreaterThanOrEqual(SHORT_DRAIN_SECONDS * 1_000);
    await expect(call("/livez")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  },
  240_000,
);

test("SIGINT does not drain", async () => {
  const { process } = await started([], LONG_DRAIN_SECONDS);
  process.child.kill("SIGINT");
  expect(await process.ended).toBe(0);
}, 240_000);
