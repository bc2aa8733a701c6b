import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DAY_MS, SECOND_MS, systemClock } from "../../src/kit/clock.js";
import { gedArchive, unList } from "../support/large-documents.js";
import { freePort, processRoomForEach } from "../support/process.js";

const MB = 1_000_000;
const ROWS = 350_000;
const XML_BYTES = 50 * MB;
const MEMORY_MAX = 300 * MB;
const LAG_MS_MAX = 50;
/** Period of the timer that measures the lag. The service's metric includes this period, so the test subtracts it. */
const LAG_PERIOD_MS = 10;
const POLLED_EVERY_MS = 50;
const WAIT = { timeout: 600_000, interval: 1_000 };
const EVENTS = "/api/conflict/v1/list-beta-events?page_size=1";
const NAMES = "/api/sanctions/v1/lookup-sanction-entity?q=first7";
const room = processRoomForEach("large");

interface Documents {
  readonly archive: Buffer;
  readonly list: Buffer;
}

let upstream: Server;
let served: Documents = { archive: Buffer.alloc(0), list: Buffer.alloc(0) };
beforeAll(async () => {
  upstream = createServer((request, response) => {
    const body = /\/ged\d\d1-csv\.zip$/.test(request.url ?? "")
      ? served.archive
      : request.url?.startsWith("/scsanctions.un.org/")
        ? served.list
        : undefined;
    if (body === undefined) response.writeHead(404).end();
    else
      response.writeHead(200, { "content-type": "application/octet-stream", "content-length": body.length }).end(body);
  });
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
});
afterAll(() => new Promise((resolve) => upstream.close(resolve)));

interface Measured {
  /** Resident memory in bytes: before the documents are read, at its peak, and once everything is served. */
  readonly idle: number;
  readonly peak: number;
  readonly after: number;
  readonly lagMs: number;
  readonly seconds: number;
}

function memoryOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
}

/**
 * Starts a service that reads these two documents. Measures the service from when it is ready until it has served both
 * documents for 10 s.
 */
async function measured(folder: string, documents: Documents): Promise<Measured> {
  served = documents;
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const dataDir = join(room.folder, folder);
  const { child, output } = room.start(["serve"], {
    VIGIL_DATA_DIR: dataDir,
    VIGIL_PORT: String(port),
    VIGIL_UPSTREAM_BASE: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    VIGIL_LOG_LEVEL: "silent",
  });
  const startedAt = performance.now();
  await vi.waitUntil(
    async () => {
      if (child.exitCode !== null) throw new Error(output());
      return fetch(`${base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    },
    { ...WAIT, interval: 20 },
  );
  const key = (await readFile(join(dataDir, "owner.key"), "utf8")).trim();
  const idle = memoryOf(child.pid);
  let [peak, lagMs, isOver] = [idle, 0, false];
  const lag = async (): Promise<number> => {
    const text = await (await fetch(`${base}/metrics`)).text();
    return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]) * SECOND_MS - LAG_PERIOD_MS;
  };
  // Reading the metric resets it, so this first read discards the lag of the start.
  await lag();
  const memory = (async () => {
    while (!isOver) {
      peak = Math.max(peak, memoryOf(child.pid));
      await systemClock.sleep(POLLED_EVERY_MS);
    }
  })();
  const state = async (path: string): Promise<string | null> =>
    (await fetch(base + path, { headers: { "X-Service-Key": key } })).headers.get("x-vigil-generation");
  try {
    await vi.waitUntil(async () => {
      lagMs = Math.max(lagMs, await lag());
      const generations = [await state(EVENTS), await state(NAMES)];
      return generations.every((generation) => /=\d/.test(generation ?? ""));
    }, WAIT);
    // Keeps measuring, because a last garbage collection and the update of the log of changes follow.
    for (let count = 0; count < 10; count += 1) {
      await systemClock.sleep(SECOND_MS);
      lagMs = Math.max(lagMs, await lag());
    }
  } catch (error) {
    process.stdout.write(output().slice(-3_000));
    throw error;
  }
  isOver = true;
  await memory;
  const after = memoryOf(child.pid);
  child.kill("SIGKILL");
  return { idle, peak, after, lagMs, seconds: Math.round((performance.now() - startedAt) / SECOND_MS) };
}

const inMb = (bytes: number): string => `${Math.round(bytes / MB)} MB`;

test(`a service that ingests ${ROWS} conflict events and a list of ${inMb(XML_BYTES)} uses at most ${inMb(MEMORY_MAX)} more memory than when idle, and its event loop is never blocked for more than ${LAG_MS_MAX} ms`, {
  timeout: 1_800_000,
}, async () => {
  const now = systemClock.now();
  const year = new Date(now).getUTCFullYear() - 1;
  // Enough events of the served year for the publication gate.
  const small = { archive: gedArchive(20_000, year), list: unList(MB / 10, now - DAY_MS) };
  const quiet = await measured("small", small);
  const large = { archive: gedArchive(ROWS, year), list: unList(XML_BYTES, now - DAY_MS) };
  const figures = await measured("large", large);
  const line = (name: string, { idle, peak, after, lagMs, seconds }: Measured): string =>
    `${name}: idle ${inMb(idle)}, peak ${inMb(peak)}, after ${inMb(after)}, lag at most ${Math.round(lagMs)} ms, ${seconds} s\n`;
  process.stdout.write(
    `archive ${inMb(large.archive.length)}, list ${inMb(large.list.length)}\n${line("small documents", quiet)}${line("large documents", figures)}`,
  );
  expect(figures.peak - figures.idle).toBeLessThanOrEqual(MEMORY_MAX);
  expect(figures.lagMs).toBeLessThanOrEqual(LAG_MS_MAX);
});
