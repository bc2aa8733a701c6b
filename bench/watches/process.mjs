// Either runs the service over a store with 20 lists, or publishes these lists. argv: role (serve or build), data
// folder, port.
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { sql } from "kysely";
import { pino } from "pino";
import { loadConfig } from "../../dist/app/config.js";
import { serveHttp } from "../../dist/app/serve.js";
import { openService } from "../../dist/app/service.js";
import { jobsOf, keepJob } from "../../dist/app/store-jobs.js";
import { systemClock } from "../../dist/kit/clock.js";
import { watchLoop } from "../loop-hold.mjs";
import { lists, watchedServices } from "./lists.mjs";

const [role, dataDir, port] = process.argv.slice(2);
const { DATABASE_URL, VIGIL_ENTERPRISE_KEYS, VIGIL_LIMITS } = process.env;
const config = loadConfig({ VIGIL_PORT: port, DATABASE_URL, VIGIL_ENTERPRISE_KEYS, VIGIL_LIMITS }, []);
const [services, clock] = [await watchedServices(), systemClock];
const log = pino({ level: "warn" }, pino.destination(2));
const service = await openService({ config, services, log, kind: "real", dataDir, clock, gated: true });
const { db } = service.database;

const publishing = {
  /** Publishes a list with the changes of a round. Returns the new generation. */
  async build({ dataset: name, round }) {
    const list = lists.find(({ dataset }) => dataset === name);
    const dataset = services.datasets.find((candidate) => candidate.name === name);
    const records = list.records(round);
    const now = clock.now();
    const status = { attemptedAt: now, outcome: "published", error: null, checkedAt: now, nextAt: null };
    const run = { ...status, dataset: name, failuresInRow: 0, parts: {} };
    const finished = { runId: randomUUID(), status: run, reports: [] };
    const comparison = { dataset, before: undefined };
    const build = { records, newestAt: dataset.newestAt(records), provenance: {}, comparison };
    return (await service.store.publish(name, build, finished, now)).generation;
  },
};

let stopWatching;
let cpuBefore;

const serving = {
  /** Adopts all published generations. */
  swap: () => service.registry.refresh(),
  /** Starts to measure the event loop and the CPU time of this process. */
  async begin() {
    stopWatching = watchLoop();
    cpuBefore = process.cpuUsage();
  },
  /**
   * Waits until the generations are in the log and every watch has been evaluated for them. Returns the CPU time used
   * since `begin`, and the longest times for which the event loop was blocked.
   */
  async settle(generations) {
    while (!(await isSettled(generations))) await later(100);
    const { user, system } = process.cpuUsage(cpuBefore);
    return { cpuMs: (user + system) / 1_000, ...stopWatching() };
  },
  /** Returns the number of firings so far. */
  firings: async () => Number((await sql`select count(*) as n from watch_firing`.execute(db)).rows[0].n),
};

async function isSettled(generations) {
  const { timeline } = service.jobParts;
  const { newest } = await timeline.extent();
  const standings = await timeline.standingsAt(newest, Object.keys(generations));
  if (standings.some(({ dataset, generation }) => generation !== generations[dataset])) return false;
  const soon = clock.now() + 20_000;
  const { rows } = await sql`
    select position from watch_progress where position >= ${newest} and not exists (
      select 1 from watch where state = 'active' and (behind_from is not null or due_at < ${soon}))`.execute(db);
  return rows.length > 0;
}

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Starts the service's background jobs. They do not include the builds of datasets, so this process builds nothing. */
function startJobs() {
  const { signal } = stopping;
  const onFault = (job, error) => log.error({ job, err: error }, "a job failed");
  const jobs = jobsOf(services, service.storeParts.settingOf);
  return Promise.all(jobs.map((job) => keepJob(job, { ...service.jobParts, signal, onFault })));
}

const stopping = new AbortController();
// Every job adds a listener, which would exceed Node's default limit and print a warning.
setMaxListeners(0, stopping.signal);
let server;
let jobs;
if (role === "serve") {
  server = await serveHttp({ config, service, services, clock, log, simulated: false });
  jobs = startJobs();
}
const commands = {
  ...(role === "serve" ? serving : publishing),
  async close() {
    stopping.abort();
    await jobs;
    await server?.close();
    await service.close();
    process.disconnect();
    process.exit(0);
  },
};
process.on("message", async ({ name, argument }) => process.send({ name, value: await commands[name](argument) }));
process.send({ name: "ready" });
