import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { processRoomForEach } from "../support/process.js";
import { startWorkers, type WorkerService } from "../support/worker-service.js";

const room = processRoomForEach("workers");
const EARTHQUAKES = "/api/seismology/v1/list-earthquakes";
const WAIT = { timeout: 180_000, interval: 100 };
const LIMITS = "operator-minute=1000000";

/** Calls the service without a pause, on new and on kept-alive connections, until `end` is called. */
function load(service: WorkerService) {
  let isOver = false;
  const failures: string[] = [];
  let calls = 0;
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  async function caller(agent: Agent | undefined): Promise<void> {
    while (!isOver) {
      try {
        const { status } = await service.call(EARTHQUAKES, agent);
        calls += 1;
        if (status !== 200) failures.push(String(status));
      } catch (error) {
        failures.push(String((error as NodeJS.ErrnoException).code));
      }
    }
  }
  const callers = [undefined, undefined, kept, new Agent({ keepAlive: true, maxSockets: 1 })].map(caller);
  return {
    failures,
    get calls() {
      return calls;
    },
    async end() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The command lines of the ingest processes that this process has started. */
function ingestProcesses(parent: number | undefined): readonly string[] {
  const lines = execFileSync("ps", ["-A", "-o", "ppid=,args="], { encoding: "utf8" }).split("\n");
  return lines.filter((line) => line.trim().startsWith(`${parent} `) && line.endsWith("--role ingest"));
}

test("under load, SIGHUP replaces every worker, and no call fails", { timeout: 600_000 }, async () => {
  const service = await startWorkers(room, 2, { VIGIL_LIMITS: LIMITS });
  await vi.waitUntil(async () => (await service.call(EARTHQUAKES)).headers["x-vigil-state"] === "ok", WAIT);
  const before = await service.pids();
  const running = load(service);
  await vi.waitUntil(() => running.calls > 100, WAIT);
  service.process.child.kill("SIGHUP");
  const replaced = (): number => service.process.output().split("a worker was replaced").length - 1;
  await vi.waitUntil(() => replaced() === 3, WAIT);
  const callsThen = running.calls;
  await vi.waitUntil(() => running.calls > callsThen + 100, WAIT);
  await running.end();
  const after = await service.pids();
  expect(running.failures).toEqual([]);
  for (const place of ["ingest", "1", "2"]) {
    expect(after[place]).not.toBe(before[place]);
    expect(isAlive(before[place] ?? 0)).toBe(false);
  }
  service.process.child.kill("SIGTERM");
  expect(await service.process.ended).toBe(0);
});

test("on SIGHUP, processes that cannot start are not reported as replaced, and ingestion resumes once they can", {
  timeout: 600_000,
}, async () => {
  const file = join(room.folder, "vigil.config.json");
  await writeFile(file, "{}");
  const service = await startWorkers(room, 2, { VIGIL_LIMITS: LIMITS, VIGIL_CONFIG: file });
  const before = await service.pids();
  await writeFile(file, "{");
  service.process.child.kill("SIGHUP");
  const output = service.process.output;
  await vi.waitUntil(() => output().includes("the workers were not replaced"), WAIT);
  await vi.waitUntil(() => output().includes("a worker ended and is replaced"), WAIT);
  expect(output()).toContain("the new worker 1 ended with 1 before it was ready");
  expect(output()).not.toContain("a worker was replaced");
  expect(isAlive(before["ingest"] ?? 0)).toBe(false);
  expect((await service.call("/livez")).status).toBe(200);
  await writeFile(file, "{}");
  const memory = /process_resident_memory_bytes\{worker="ingest"\}/;
  await vi.waitUntil(async () => memory.test((await service.call("/metrics")).body), WAIT);
});

test("after a repaired configuration and a second SIGHUP, one process ingests, and SIGTERM ends the service", {
  timeout: 600_000,
}, async () => {
  const file = join(room.folder, "vigil.config.json");
  await writeFile(file, "{}");
  const service = await startWorkers(room, 2, { VIGIL_LIMITS: LIMITS, VIGIL_CONFIG: file });
  const { child, output, ended } = service.process;
  await writeFile(file, "{");
  child.kill("SIGHUP");
  await vi.waitUntil(() => output().includes("the workers were not replaced"), WAIT);
  // The second SIGHUP comes late in a delay of 2 s, so that the delay ends while the new ingest process starts.
  await vi.waitUntil(() => output().includes('"waitMs":2000'), WAIT);
  await writeFile(file, "{}");
  await setTimeout(1_600);
  child.kill("SIGHUP");
  await vi.waitUntil(() => output().split("a worker was replaced").length - 1 === 3, WAIT);
  expect(ingestProcesses(child.pid)).toHaveLength(1);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("SIGTERM ends the service while its processes are being replaced", { timeout: 600_000 }, async () => {
  const service = await startWorkers(room, 2, { VIGIL_LIMITS: LIMITS });
  service.process.child.kill("SIGHUP");
  await vi.waitUntil(() => service.process.output().includes("replacing the workers"), WAIT);
  service.process.child.kill("SIGTERM");
  expect(await service.process.ended).toBe(0);
});

test("killed workers are replaced while another worker answers", { timeout: 600_000 }, async () => {
  const service = await startWorkers(room, 2, { VIGIL_LIMITS: LIMITS });
  const { 1: first = 0, ingest = 0 } = await service.pids();
  for (const pid of [first, ingest]) process.kill(pid, "SIGKILL");
  await vi.waitUntil(() => !isAlive(first), WAIT);
  for (let call = 0; call < 50; call += 1) expect((await service.call("/livez")).status).toBe(200);
  const started = async (place: string): Promise<string | undefined> =>
    new RegExp(`vigil_worker_starts_total\\{worker="primary",slot="${place}"\\} (\\d+)`).exec(
      (await service.call("/metrics")).body,
    )?.[1];
  for (const place of ["1", "ingest"]) await vi.waitUntil(async () => (await started(place)) === "2", WAIT);
  const memory = /process_resident_memory_bytes\{worker="(1|2|ingest)"\}/g;
  await vi.waitUntil(async () => [...(await service.call("/metrics")).body.matchAll(memory)].length === 3, WAIT);
});

test("workers end when their primary is killed", { timeout: 300_000 }, async () => {
  const service = await startWorkers(room, 2, { VIGIL_LIMITS: LIMITS });
  const pids = Object.values(await service.pids());
  expect(pids).toHaveLength(3);
  service.process.child.kill("SIGKILL");
  await vi.waitUntil(() => pids.every((pid) => !isAlive(pid)), WAIT);
});
