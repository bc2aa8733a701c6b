// One of the two processes of a measurement of the store. argv: role (serve or build), data folder, port, and the name
// that generations.mjs gives to the dataset to publish.

import { randomUUID } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pino } from "pino";
import { loadConfig } from "../dist/app/config.js";
import { serveHttp } from "../dist/app/serve.js";
import { openService } from "../dist/app/service.js";
import { systemClock } from "../dist/kit/clock.js";
import { generations } from "./generations.mjs";
import { watchLoop } from "./loop-hold.mjs";

const [role, dataDir, port, what] = process.argv.slice(2);
const { services, dataset, records } = await generations[what]();
const { VIGIL_ENTERPRISE_KEYS, VIGIL_LIMITS } = process.env;
const VIGIL_PAST_READS_PER_MINUTE = "999999";
const config = loadConfig({ VIGIL_PORT: port, VIGIL_ENTERPRISE_KEYS, VIGIL_LIMITS, VIGIL_PAST_READS_PER_MINUTE }, []);
const log = pino({ level: "silent" });
const service = await openService({ config, services, log, kind: "real", dataDir, clock: systemClock, gated: true });

/** A timer fires every ms, and this interval is part of each delay, so an idle process reports about 1.1 ms. */
const delays = monitorEventLoopDelay({ resolution: 1 });
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
  /** Adopts the published generation, and returns how long this took, in ms. */
  async swap() {
    const startedAt = performance.now();
    await service.registry.refresh();
    return performance.now() - startedAt;
  },
  async watch() {
    stopWatching = watchLoop();
  },
  /**
   * Returns two figures for the longest time for which the event loop was blocked since the call of `watch`: `heldMs`
   * is wall-clock time, and `ownHeldMs` leaves out the time that other processes took.
   */
  held: async () => stopWatching(),
  async startDelays() {
    delays.enable();
  },
  /** Returns the 99th percentile of the event loop's delays since `startDelays`, in ms. */
  async delayP99Ms() {
    return delays.percentile(99) / 1e6;
  },
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
