import { bodyStore } from "../../../src/database/bodies.js";
import { DAY_MS, HOUR_MS } from "../../../src/kit/clock.js";
import { logJob } from "../../../src/services/datasets/store/log-job.js";
import { applyRetention } from "../../../src/snapshots/history/retention.js";
import { type IndexMonth, publishChanged, withIndex, withoutFirstRows } from "../published.js";
import { runJob } from "../run-job.js";
import { call, NOON, type Stack, type StackOptions } from "../stack.js";

/** The service that is called by the code blocks of a documentation page. */
export interface World {
  readonly options: StackOptions;
  /** Prepares the service before the code blocks run. */
  prepare?(stack: Stack): Promise<void>;
  /** True if the answers on the page are excerpts, which may lack members. */
  readonly areExcerpts?: boolean;
}

const PLAN_EVENTS_SECRET = "the secret of the sender of plan events";

/** Environment variables of the shells in which the commands of all pages run. */
export const terminalVariables = { VIGIL_PLAN_EVENTS_SECRET: PLAN_EVENTS_SECRET };

const MANY = ["enterprise-minute", "operator-minute", "watch-create"].map((name) => `${name}=99999`).join();

/**
 * The service for every page that has no service of its own: everything is built once, and the account of
 * docs/access.md exists.
 */
export const commonWorld: World = {
  options: { filled: "all", env: { VIGIL_PLAN_EVENTS_SECRET: PLAN_EVENTS_SECRET, VIGIL_LIMITS: MANY } },
  async prepare(stack) {
    await runJob(stack, logJob);
    const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "", "content-type": "application/json" };
    const body = JSON.stringify({ name: "Desk", plan: "business", id: "acc_desk" });
    await call(stack.answer, "POST", "/api/account/v1/create-account", headers, { body });
  },
};

const outage = { upstream: "*" } as const;

/** The services of pages whose examples need particular data, by page. */
export const ownWorlds: Readonly<Record<string, World>> = {
  "docs/concepts.md": {
    options: { datasets: ["us-cpi"] },
    prepare: async (stack) => void (await stack.run("us-cpi")),
  },
  "docs/dataset-history.md": {
    options: { datasets: ["earthquakes", "us-cpi"] },
    areExcerpts: true,
    async prepare(stack) {
      await stack.run("earthquakes");
      await stack.run("us-cpi");
      stack.clock.advance(HOUR_MS);
      stack.simulator.faults.set(outage, { kind: "down" });
      await stack.run("earthquakes");
      stack.clock.advance(5 * HOUR_MS);
      stack.simulator.faults.clear();
      await stack.run("earthquakes");
      await publishChanged<IndexMonth>(stack, "us-cpi", (records) =>
        withIndex(records, "headline", { month: Date.UTC(2026, 9), index: 353.1 }),
      );
      stack.clock.advance(HOUR_MS);
    },
  },
  "docs/deltas.md": {
    options: { datasets: ["us-cpi", "earthquakes"] },
    async prepare(stack) {
      await stack.run("us-cpi");
      await stack.run("earthquakes");
      stack.clock.advance(6 * HOUR_MS);
      await stack.run("earthquakes");
      // Publishes us-cpi without its first rows. Then removes its first generation, as retention would.
      await publishChanged(stack, "us-cpi", withoutFirstRows);
      const { db } = stack.service.database;
      await db.deleteFrom("snapshot").where("dataset", "=", "us-cpi").where("generation", "=", 1).execute();
      await stack.restart();
    },
  },
  "docs/explain.md": { options: { datasets: ["earthquakes"], filled: ["earthquakes"] } },
  "docs/formats.md": {
    options: { filled: "all" },
    async prepare(stack) {
      stack.clock.advance(6 * HOUR_MS);
      await stack.run("earthquakes");
    },
  },
  "docs/history.md": {
    options: { datasets: ["us-cpi", "earthquakes"], at: NOON - DAY_MS },
    async prepare(stack) {
      await stack.run("us-cpi");
      stack.clock.advance(DAY_MS);
      await stack.run("us-cpi");
      await stack.run("earthquakes");
      stack.clock.advance(HOUR_MS);
      stack.simulator.faults.set(outage, { kind: "down" });
      await stack.run("earthquakes");
      stack.clock.advance(5 * HOUR_MS);
      stack.simulator.faults.clear();
      await stack.run("earthquakes");
      stack.clock.advance(DAY_MS);
      await removeFirstDay(stack);
    },
  },
};

/** Runs retention on us-cpi. Retention keeps a day and a half, so it removes the first day. */
async function removeFirstDay(stack: Stack): Promise<void> {
  const { database } = stack.service;
  const bodies = bodyStore(database, stack.dataDir, stack.clock);
  const policy = { wholeMs: 1.5 * DAY_MS, dailyMs: 1.5 * DAY_MS, bodyBytesMax: 1e9 };
  await applyRetention(database, bodies, ["us-cpi"], policy, stack.clock.now());
}
