import { expect, test } from "vitest";
import type { AnyDataset } from "../contract/product.js";
import { onOff, settingReader } from "../contract/setting.js";
import { type StoreParts, storeJob } from "../database/service-store.js";
import type { WorkRequest } from "../ingest/work-queue.js";
import { MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { LoopTurns } from "../kit/loop-turns.js";
import { manualClock } from "../kit/manual-clock.js";
import type { Services } from "../services/registry.js";
import { jobsOf, keepJob, type StoreJobParts } from "./store-jobs.js";

const NOW = Date.UTC(2026, 10, 22);
// The jobs read no other members of a dataset.
const numbers = { name: "numbers" } as AnyDataset;

/** A job that records the generation it reads, and fails while `broken` is set. */
function kept(request?: (name: string, request: WorkRequest) => Promise<boolean>) {
  const clock = manualClock(NOW);
  const served = { generation: 1 };
  const runs: string[] = [];
  const faults: string[] = [];
  const state = { broken: false };
  const job = storeJob({
    name: "count",
    everyMs: MINUTE_MS,
    reads: { numbers },
    async run({ clock: own }, { snapshots }) {
      const { generation } = snapshots.numbers as unknown as { readonly generation: number };
      runs.push(`${generation} at ${(own.now() - NOW) / SECOND_MS}`);
      if (state.broken) throw new Error("broken");
    },
  });
  const stopping = new AbortController();
  const parts = {
    store: { clock } as unknown as StoreParts,
    registry: { get: () => ({ available: true, state: "ok", ...served }) },
    onDemand: { read: async () => ({ state: "miss", fetchedAt: 0, expiresAt: 0 }) },
    turns: new LoopTurns(),
    signal: stopping.signal,
    onFault: (name: string, error: unknown) => faults.push(`${name}: ${String(error)}`),
  } as unknown as StoreJobParts;
  const ended = keepJob(job, { ...parts, ...(request && { queue: { request } }) });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const pass = async (seconds: number): Promise<void> => {
    await settle();
    for (let passed = 0; passed < seconds; passed += 1) {
      clock.advance(SECOND_MS);
      await settle();
    }
  };
  const stop = async (): Promise<void> => {
    stopping.abort(new Error("stopping"));
    await ended;
  };
  return { served, runs, faults, state, pass, stop };
}

test("a job runs at the start, when it is due, and within a second of a new generation", async () => {
  const { served, runs, pass, stop } = kept();
  await pass(70);
  served.generation = 2;
  await pass(5);
  expect(runs).toEqual(["1 at 0", "1 at 60", "2 at 71"]);
  await stop();
});

test("a job is left to a queue that accepts its requests; only requests for due runs contain `everyMs`", async () => {
  const requests: unknown[] = [];
  const { served, runs, pass, stop } = kept(async (name, request) => {
    requests.push([name, request]);
    return true;
  });
  await pass(61);
  served.generation = 2;
  await pass(5);
  expect(runs).toEqual([]);
  const due = ["count", { everyMs: MINUTE_MS }];
  const unconditional = ["count", {}];
  expect(requests).toEqual([unconditional, due, unconditional]);
  await stop();
});

test("a job whose request the queue refuses runs on the node that made the request", async () => {
  const { runs, pass, stop } = kept(async () => false);
  await pass(61);
  expect(runs).toEqual(["1 at 0", "1 at 60"]);
  await stop();
});

test("a failed run is reported, and the job runs again when it is due", async () => {
  const { runs, faults, state, pass, stop } = kept();
  await pass(0);
  state.broken = true;
  await pass(60);
  state.broken = false;
  await pass(60);
  expect(runs).toHaveLength(3);
  expect(faults).toEqual(["count: Error: broken"]);
  await stop();
});

test("a service that is switched off has no jobs", () => {
  const setting = onOff("VIGIL_NUMBERS", "on", "Numbers.");
  const job = storeJob({ name: "count", everyMs: MINUTE_MS, reads: {}, run: async () => undefined });
  const services = {
    groups: [{ service: "numbers", switchedBy: { setting, stays: [] } }],
    stores: [{ service: "numbers", store: { jobs: [job] } }],
  } as unknown as Services;
  expect(jobsOf(services, settingReader({}))).toEqual([job]);
  expect(jobsOf(services, settingReader({ VIGIL_NUMBERS: "off" }))).toEqual([]);
});

test("a job gets the served and the newest generation of each dataset, even if the newest is unreadable", async () => {
  const clock = manualClock(NOW);
  const served = { available: true, state: "stale", generation: 4, contentHash: "four", newestAt: 5 };
  const snapshots: Readonly<Record<string, object>> = {
    broken: { ...served, newerUnreadable: { generation: 5, reason: "damaged" } },
    empty: { available: false, state: "absent" },
    whole: served,
  };
  const standings: unknown[] = [];
  const job = storeJob({
    name: "stand",
    everyMs: MINUTE_MS,
    reads: {},
    run: async (_parts, context) => void standings.push(...context.standings()),
  });
  await keepJob(job, {
    store: { clock },
    registry: {
      datasets: Object.keys(snapshots).map((name) => ({ name })),
      get: ({ name }: AnyDataset) => snapshots[name],
    },
    signal: AbortSignal.abort(),
  } as unknown as StoreJobParts);
  const four = { state: "stale", generation: 4, contentHash: "four", newestAt: 5 };
  expect(standings).toEqual([
    { dataset: "broken", ...four, newestGeneration: 5 },
    { dataset: "empty", state: "absent", generation: null, newestGeneration: null, contentHash: null, newestAt: null },
    { dataset: "whole", ...four, newestGeneration: 4 },
  ]);
});
