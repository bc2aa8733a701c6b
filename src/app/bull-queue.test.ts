import { Queue } from "bullmq";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type PrivateRedis, startPrivateRedis, whyNoPrivateRedis } from "../../test/support/private-redis.js";
import type { Work, WorkRequest } from "../ingest/work-queue.js";
import { systemClock } from "../kit/clock.js";
import { bullQueue, type ClosableQueue } from "./bull-queue.js";
import { type OpenRedis, openRedis } from "./open-redis.js";

const WAIT = { timeout: 30_000, interval: 5 };
const HOUR_MS = 3_600_000;
const why = whyNoPrivateRedis();

/** Work that waits until the test ends it. */
function held() {
  const started: (number | undefined)[] = [];
  const ends: (() => void)[] = [];
  const work: Work = (basedOn) => {
    started.push(basedOn);
    return new Promise((resolve) => {
      ends.push(resolve);
      unended.push(resolve);
    });
  };
  return { work, started, end: () => ends.shift()?.() };
}

/** The functions that end work left running by a failed test. */
const unended: (() => void)[] = [];

describe.skipIf(why !== undefined)(why === undefined ? "a queue on Redis" : `a queue on Redis, skipped: ${why}`, () => {
  let redis: PrivateRedis;
  const faults: unknown[] = [];
  const operators: Queue[] = [];
  let monotonicMs = 0;
  const opened: { readonly queue: ClosableQueue; readonly shared: OpenRedis }[] = [];
  beforeEach(async () => {
    redis = await startPrivateRedis();
  });
  afterEach(async () => {
    for (const end of unended.splice(0)) end();
    for (const queue of operators.splice(0)) await queue.close();
    for (const { queue, shared } of opened.splice(0)) {
      await queue.close();
      shared.close();
    }
    await redis.dispose();
    monotonicMs = 0;
    expect(faults.splice(0)).toEqual([]);
  });

  /** Opens the queue of a node. */
  async function node(work: Readonly<Record<string, Work>>, prefix = "vigil:queue:test:") {
    const shared = await openRedis(redis.url, systemClock, { warn: () => undefined });
    const queue = bullQueue({
      shared,
      prefix,
      name: "jobs",
      onFault: (error) => faults.push(error),
      monotonic: () => monotonicMs,
      waits: { openRetryMs: 100, idleSeconds: 0.5 },
    });
    opened.push({ queue, shared });
    queue.begin(new Map(Object.entries(work)));
    return queue;
  }

  function sharedOfFirst(): OpenRedis {
    const [first] = opened;
    if (!first) throw new Error("no node");
    return first.shared;
  }

  const keys = (): Promise<string[]> => sharedOfFirst().redis.keys("vigil:queue:*");

  /** The queue of the first node, as an operator sees it. */
  async function operatorsQueue(): Promise<Queue> {
    const [meta = ""] = await sharedOfFirst().redis.keys("*:jobs:meta");
    const queue = new Queue("jobs", { connection: sharedOfFirst().redis, prefix: meta.replace(":jobs:meta", "") });
    operators.push(queue);
    return queue;
  }

  /** Waits until the queue accepts a request and has finished its work. */
  async function isUsable(queue: ClosableQueue): Promise<void> {
    await vi.waitUntil(() => queue.request("ping", { everyMs: HOUR_MS }), WAIT);
    const operator = await operatorsQueue();
    await vi.waitUntil(async () => (await operator.count()) + (await operator.getActiveCount()) === 0, WAIT);
  }
  const ping: Work = async () => undefined;

  test("requested work runs once, on one of the nodes, with the value that the request passed", async () => {
    const done: string[] = [];
    const doneBy = (name: string): Readonly<Record<string, Work>> => ({
      ping,
      build: async (basedOn) => void done.push(`${name} ${basedOn}`),
    });
    const nodes = [await node(doneBy("a")), await node(doneBy("b"))];
    await Promise.all(nodes.map(isUsable));
    for (const basedOn of [1, 2, 3]) {
      expect(await nodes[basedOn % 2]?.request("build", { basedOn })).toBe(true);
      await vi.waitUntil(() => done.length === basedOn, WAIT);
    }
    expect(done).toEqual([1, 2, 3].map((basedOn) => expect.stringMatching(`^[ab] ${basedOn}$`)));
  });

  test("waiting requests for the same work count as one", async () => {
    const done: string[] = [];
    const queue = await node({ ping, work: async () => void done.push("work") });
    await isUsable(queue);
    const operator = await operatorsQueue();
    await operator.pause();
    for (let request = 0; request < 5; request += 1) expect(await queue.request("work", {})).toBe(true);
    expect(await operator.count()).toBe(1);
    await operator.resume();
    await vi.waitUntil(() => done.length > 0, WAIT);
    await vi.waitUntil(async () => (await operator.count()) === 0, WAIT);
    expect(done).toEqual(["work"]);
  });

  test("a request during a run starts a further run, and long runs do not delay other work", async () => {
    const { work, started, end } = held();
    const done: string[] = [];
    const queue = await node({ ping, work, other: async () => void done.push("other") });
    await isUsable(queue);
    for (let run = 1; run <= 20; run += 1) {
      await queue.request("work", {});
      await vi.waitUntil(() => started.length === run, WAIT);
    }
    await queue.request("other", {});
    await vi.waitUntil(() => done.length === 1, WAIT);
    for (let run = 1; run <= 20; run += 1) end();
  });

  test("work that is due at an interval runs once per interval across all nodes", async () => {
    const done: string[] = [];
    const work = { ping, job: async () => void done.push("job"), last: async () => void done.push("last") };
    const nodes = [await node(work), await node(work)];
    await Promise.all(nodes.map(isUsable));
    for (const queue of [...nodes, ...nodes]) expect(await queue.request("job", { everyMs: HOUR_MS })).toBe(true);
    await vi.waitUntil(() => done.length === 1, WAIT);
    // A request without an interval starts a run of its own.
    await nodes[0]?.request("job", {});
    await vi.waitUntil(() => done.length === 2, WAIT);
    await nodes[1]?.request("last", {});
    await vi.waitUntil(() => done.includes("last"), WAIT);
    expect(done).toEqual(["job", "job", "last"]);
  });

  test("nodes that can do different work do not share a queue, and neither do nodes of different stores", async () => {
    const done: string[] = [];
    const doneBy = (name: string, others: Readonly<Record<string, Work>> = {}): Readonly<Record<string, Work>> => ({
      ping,
      build: async () => void done.push(name),
      ...others,
    });
    const queue = await node(doneBy("a"));
    const others = [await node(doneBy("b", { scan: ping })), await node(doneBy("c"), "vigil:queue:other:")];
    await Promise.all([queue, ...others].map(isUsable));
    for (let run = 1; run <= 6; run += 1) {
      await queue.request("build", {});
      await vi.waitUntil(() => done.length === run, WAIT);
    }
    expect(new Set(done)).toEqual(new Set(["a"]));
  });

  test.each(["killed", "frozen"])(
    "if Redis is %s, requests are refused until Redis runs again; then the queue works again",
    async (how) => {
      const done: string[] = [];
      const queue = await node({ ping, build: async () => void done.push("build") });
      await isUsable(queue);
      const isKilled = how.startsWith("killed");
      if (isKilled) await redis.kill();
      else redis.signal("SIGSTOP");
      await vi.waitUntil(async () => !(await queue.request("build", {})), WAIT);
      if (isKilled) await redis.start();
      else redis.signal("SIGCONT");
      await vi.waitUntil(() => queue.request("build", {}), WAIT);
      await vi.waitUntil(() => done.length > 0, WAIT);
    },
  );

  test("a node that starts while Redis is lost uses the queue once Redis is reachable", async () => {
    await redis.kill();
    const queue = await node({ ping });
    expect(await queue.request("ping", {})).toBe(false);
    await redis.start();
    await isUsable(queue);
  });

  test("a closing queue leaves new work to other nodes, and waits for the work under way", async () => {
    const { work, started, end } = held();
    const done: string[] = [];
    const other: Work = async () => void done.push("closing");
    const closing = await node({ ping, work, other });
    await isUsable(closing);
    await closing.request("work", {});
    await vi.waitUntil(() => started.length === 1, WAIT);
    const staying = await node({ ping, work, other: async () => void done.push("staying") });
    await isUsable(staying);
    let isClosed = false;
    const closed = closing.close().then(() => {
      isClosed = true;
    });
    for (let run = 1; run <= 20; run += 1) {
      expect(await staying.request("other", {})).toBe(true);
      await vi.waitUntil(() => done.length === run, WAIT);
    }
    expect(new Set(done)).toEqual(new Set(["staying"]));
    expect(isClosed).toBe(false);
    expect(await closing.request("other", {})).toBe(false);
    end();
    await closed;
  });

  test("a queue can be closed while Redis is lost", async () => {
    const { work, started, end } = held();
    const queue = await node({ ping, work });
    await isUsable(queue);
    await queue.request("work", {});
    await vi.waitUntil(() => started.length === 1, WAIT);
    await redis.kill();
    const closing = queue.close();
    end();
    await closing;
  });

  test("while Redis refuses writes, requests are refused, and the fault is reported once", async () => {
    const queue = await node({ ping });
    await isUsable(queue);
    const { redis: commands } = sharedOfFirst();
    await commands.config("SET", "maxmemory", "1");
    expect(await queue.request("ping", {})).toBe(false);
    await vi.waitUntil(() => faults.length > 0, WAIT);
    await commands.config("SET", "maxmemory", "0");
    await vi.waitUntil(() => queue.request("ping", {}), WAIT);
    expect(faults.splice(0).map(String)).toEqual([expect.stringMatching(/OOM/)]);
  });

  test("requests that no node takes for half a minute are refused until the queue works again", async () => {
    const queue = await node({ ping, work: ping });
    await isUsable(queue);
    const operator = await operatorsQueue();
    await operator.pause();
    const requests: readonly [string, WorkRequest][] = [
      ["work", {}],
      ["work", { everyMs: 1 }],
    ];
    for (const [name, request] of requests) expect(await queue.request(name, request)).toBe(true);
    monotonicMs += 31_000;
    for (const [name, request] of requests) expect(await queue.request(name, request)).toBe(false);
    await operator.resume();
    await vi.waitUntil(async () => (await operator.count()) === 0, WAIT);
    for (const [name, request] of requests) expect(await queue.request(name, request)).toBe(true);
  });

  test("a queue that has done its work leaves no job in Redis", async () => {
    const done: string[] = [];
    const queue = await node({ ping, build: async () => void done.push("build") });
    await isUsable(queue);
    for (let run = 1; run <= 3; run += 1) {
      await queue.request("build", {});
      await vi.waitUntil(() => done.length === run, WAIT);
    }
    const left = async (): Promise<string[]> => (await keys()).map((key) => key.replace(/^.*:jobs:/, "")).sort();
    await vi.waitFor(async () => {
      const known = ["de:due ping", "events", "id", "marker", "meta", "stalled-check"];
      expect(known).toEqual(expect.arrayContaining(await left()));
      expect(await left()).toEqual(expect.arrayContaining(["de:due ping", "events", "id", "meta"]));
    }, WAIT);
  });
});
