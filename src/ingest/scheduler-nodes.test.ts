import { afterEach, describe, expect, test } from "vitest";
import { disposedAfterEach, openSqliteStore } from "../../test/support/stores.js";
import { dataset } from "../contract/dataset.js";
import type { AnyDataset } from "../contract/product.js";
import { leases } from "../database/leases.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { type ManualClock, manualClock } from "../kit/manual-clock.js";
import type { DatasetStatus } from "../snapshots/generation.js";
import type { RunResult } from "./run.js";
import { createIngest, type Ingest } from "./scheduler.js";
import type { Work, WorkQueue } from "./work-queue.js";

const START = Date.UTC(2026, 10, 18, 12);
const open = disposedAfterEach(openSqliteStore);

const hourly: AnyDataset = dataset({
  name: "hourly",
  title: "Hourly",
  description: "Hourly",
  cadenceMs: HOUR_MS,
  staleAfterMs: HOUR_MS,
  gaps: [],
  parts: {},
  gateRule: "none",
  gate: () => undefined,
  view: () => undefined,
  newestAt: () => null,
});

function publishedAt(at: number): DatasetStatus {
  return {
    dataset: hourly.name,
    attemptedAt: at,
    outcome: "published",
    error: null,
    checkedAt: at,
    nextAt: at + HOUR_MS,
    failuresInRow: 0,
    parts: {},
  };
}

const running: Ingest[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((ingest) => ingest.stop()));
});

/** Starts nodes that share the statuses of datasets, as nodes with one database do. Records the runs of all nodes. */
function shared(clock: ManualClock) {
  const stored = new Map<string, DatasetStatus>();
  const builds: string[] = [];
  let fault: Error | undefined;
  return {
    stored,
    builds,
    failWith: (error: Error | undefined) => {
      fault = error;
    },
    start(name: string, held: ReturnType<typeof leases>, queue?: WorkQueue): Ingest {
      let statuses = new Map(stored);
      const ingest = createIngest({
        clock,
        leases: held,
        holder: name,
        datasets: [hourly],
        runs: {
          status: (anyDataset) => statuses.get(anyDataset.name),
          generation: () => undefined,
          refresh: async () => {
            statuses = new Map(stored);
          },
        },
        requests: { isAwake: () => true, awake: async () => undefined },
        run: async (anyDataset) => {
          builds.push(`${name} ${Math.round((clock.now() - START) / SECOND_MS)}`);
          if (fault) throw fault;
          const status = publishedAt(clock.now());
          stored.set(anyDataset.name, status);
          return { outcome: "published", status, generation: undefined, reports: [] } satisfies RunResult;
        },
        onRun: () => undefined,
        onFault: () => undefined,
        ...(queue && { queue }),
      });
      ingest.start();
      running.push(ingest);
      return ingest;
    },
  };
}

/** Advances the clock in steps. Before each step, waits until every loop sleeps and no requested work is running. */
async function pass(clock: ManualClock, ms: number, sleepers: number, working = () => 0): Promise<void> {
  const settled = () => expect.poll(() => [clock.sleeping, working()], { interval: 1 }).toEqual([sleepers, 0]);
  for (let left = ms; left > 0; left -= 5 * SECOND_MS) {
    await settled();
    clock.advance(Math.min(left, 5 * SECOND_MS));
  }
  await settled();
}

describe("two nodes", () => {
  test("two nodes together read a dataset once at their first start, and once whenever it is due", async () => {
    const clock = manualClock(START);
    const world = shared(clock);
    const { database } = await open();
    world.start("a", leases(database, clock));
    world.start("b", leases(database, clock));
    await pass(clock, 2 * MINUTE_MS, 2);
    expect(world.builds).toHaveLength(1);
    await pass(clock, HOUR_MS, 2);
    expect(world.builds).toHaveLength(2);
  });
});

/** A queue whose nodes take turns. It hands each request to one node, `times` times. */
function takingTurns({ times = 1 } = {}) {
  const nodes: ReadonlyMap<string, Work>[] = [];
  const requests: string[] = [];
  let isUsable = true;
  let workCount = 0;
  const run = async (work: Work | undefined, basedOn: number | undefined): Promise<void> => {
    workCount += 1;
    try {
      await work?.(basedOn);
    } finally {
      workCount -= 1;
    }
  };
  const queue: WorkQueue = {
    begin: (work) => void nodes.push(work),
    async request(name, { basedOn }) {
      if (!isUsable) return false;
      requests.push(name);
      const work = nodes[requests.length % nodes.length]?.get(name);
      for (let time = 0; time < times; time += 1) void run(work, basedOn);
      return true;
    },
  };
  const lose = (): void => {
    isUsable = false;
  };
  return { queue, requests, lose, working: () => workCount };
}

/** Starts nodes that share a queue. */
async function withQueue(names: readonly string[], { times = 1, fault }: { times?: number; fault?: Error } = {}) {
  const clock = manualClock(START);
  const world = shared(clock);
  const { database } = await open();
  const turns = takingTurns({ times });
  world.failWith(fault);
  for (const name of names) world.start(name, leases(database, clock), turns.queue);
  await expect.poll(() => world.builds).toHaveLength(1);
  return { clock, world, ...turns };
}

describe("nodes with a queue", () => {
  test("the queue chooses the node of a run, and the other nodes wait for the result", async () => {
    const { clock, world, requests } = await withQueue(["a", "b"]);
    expect(requests.length).toBeGreaterThan(0);
    await pass(clock, HOUR_MS, 2);
    await expect.poll(() => world.builds).toHaveLength(2);
    // Each node sends one request per run, and none while it waits for the result.
    expect(requests.length).toBeLessThanOrEqual(4);
  });

  test("a node that gets two requests for the same dataset runs it once", async () => {
    const { clock, world, requests } = await withQueue(["a"], { times: 2 });
    await pass(clock, MINUTE_MS, 1);
    expect(world.builds).toEqual(["a 0"]);
    expect(requests).toEqual(["hourly"]);
  });

  test("a run that ends in an internal error is retried less and less often", async () => {
    const { clock, world, working } = await withQueue(["a"], { fault: new Error("no space left on device") });
    await pass(clock, 20 * MINUTE_MS, 1, working);
    // A wait is chosen when a run is requested, so it counts the faults before that run.
    expect(world.builds).toEqual([0, 15, 30, 60, 120, 240, 480, 720, 960, 1_200].map((second) => `a ${second}`));
  });

  test("if the queue cannot be used, the nodes run what is due without the queue", async () => {
    const { clock, world, lose } = await withQueue(["a", "b"]);
    await pass(clock, MINUTE_MS, 2);
    lose();
    await pass(clock, HOUR_MS, 2);
    expect(world.builds).toHaveLength(2);
  });
});

describe("a clock change", () => {
  test("a clock that is set forward starts the due runs within a minute", async () => {
    const clock = manualClock(START);
    const world = shared(clock);
    const { database } = await open();
    world.start("a", leases(database, clock));
    await pass(clock, 10 * SECOND_MS, 1);
    clock.set(clock.now() + DAY_MS);
    await pass(clock, MINUTE_MS, 1);
    expect(world.builds).toHaveLength(2);
  });

  test("if a clock is set back, no dataset waits longer than planned, even if another node held the dataset's lease", async () => {
    const ahead = manualClock(START + 365 * DAY_MS);
    const { database } = await open();
    await leases(database, ahead).acquire("build hourly", "another machine", 11 * MINUTE_MS);
    const clock = manualClock(START);
    const world = shared(clock);
    world.stored.set("hourly", publishedAt(ahead.now()));
    world.start("a", leases(database, clock));
    await pass(clock, HOUR_MS + MINUTE_MS, 1);
    expect(world.builds).toHaveLength(1);
  });
});

test("a dataset whose runs end in internal errors is retried less and less often", async () => {
  const clock = manualClock(START);
  const world = shared(clock);
  const { database } = await open();
  world.failWith(new Error("no space left on device"));
  world.start("a", leases(database, clock));
  await pass(clock, 20 * MINUTE_MS, 1);
  expect(world.builds).toEqual([0, 15, 45, 105, 225, 465, 705, 945, 1_185].map((second) => `a ${second}`));
  world.failWith(undefined);
  await pass(clock, 4 * MINUTE_MS, 1);
  expect(world.stored.has("hourly")).toBe(true);
});
