// One side of a measurement of the store. argv: role (serve or build), data folder, port, dataset to publish.

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pino } from "pino";
import { loadConfig } from "../dist/app/config.js";
import { serveHttp } from "../dist/app/serve.js";
import { openService } from "../dist/app/service.js";
import { systemClock } from "../dist/kit/clock.js";
import { generations } from "./generations.mjs";

const [role, dataDir, port, what] = process.argv.slice(2);
const { services, dataset, records } = await generations[what]();
const { VIGIL_ENTERPRISE_KEYS, VIGIL_LIMITS } = process.env;
const VIGIL_PAST_READS_PER_MINUTE = "999999";
const config = loadConfig({ VIGIL_PORT: port, VIGIL_ENTERPRISE_KEYS, VIGIL_LIMITS, VIGIL_PAST_READS_PER_MINUTE }, []);
const log = pino({ level: "silent" });
const service = await openService({ config, services, log, kind: "real", dataDir, clock: systemClock, gated: true });

/** Ms for which this thread was ready to run while other processes had all processors; 0 if unknown. */
function waitedMs() {
  try {
    return Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** Measures how long the event loop is blocked: in total, and by this process alone. */
function watchLoop() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let [tickedAt, waited, ownMs] = [performance.now(), waitedMs(), 0];
  const timer = setInterval(() => {
    const [now, waitedNow] = [performance.now(), waitedMs()];
    ownMs = Math.max(ownMs, now - tickedAt - (waitedNow - waited));
    [tickedAt, waited] = [now, waitedNow];
  }, 1);
  return () => {
    delay.disable();
    clearInterval(timer);
    return { heldMs: delay.max / 1e6, ownHeldMs: ownMs };
  };
}

let stopWatching;

const commands = {
  async build({ count, round }) {
    const build = records(count, round);
    const now = systemClock.now();
    const status = { attemptedAt: now, outcome: "published", error: null, checkedAt: now, nextAt: null };
    const run = { ...status, dataset: dataset.name, failuresInRow: 0, parts: {} };
    const finished = { runId: randomUUID(), status: run, reports: [] };
    const { generation } = await service.store.publish(
      dataset.name,
      { records: build, newestAt: dataset.newestAt(build), provenance: {} },
      finished,
      now,
    );
    return generation;
  },
  /** Adopts the published generation, and measures the time. */
  async swap() {
    const startedAt = performance.now();
    await service.registry.refresh();
    return performance.now() - startedAt;
  },
  async watch() {
    stopWatching = watchLoop();
  },
  /**
   * The longest blocking of the event loop since `watch`: wall-clock time, and without the processor time of others.
   */
  held: async () => stopWatching(),
  async heapBytes() {
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  },
  async close() {
    await service.close();
    process.disconnect();
    process.exit(0);
  },
};
process.on("message", async ({ name, argument }) => process.send({ name, value: await commands[name](argument) }));
if (role === "serve") await serveHttp({ config, service, services, clock: systemClock, log, simulated: false });
process.send({ name: "ready" });
