import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type PrivateRedis, startPrivateRedis, whyNoPrivateRedis } from "../../test/support/private-redis.js";
import type { Work } from "../ingest/work-queue.js";
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
    return new Promise((resolve) => ends.push(resolve));
  };
  return { work, started, end: () => ends.shift()?.() };
}

describe.skipIf(why !== undefined)(why === undefined ? "a queue on Redis" : `a queue on Redis, skipped: ${why}`, () => {
  let redis: PrivateRedis;
  const faults: unknown[] = [];
  const opened: { readonly queue: ClosableQueue; readonly shared: OpenRedis }[] = [];
  beforeEach(async () => {
    redis = await startPrivateRedis();
  });
  afterEach(async () => {
    for (const { queue, shared } of opened.splice(0)) {
      await queue.close();
      shared.close();
    }
    await redis.dispose();
    expect(faults.splice(0)).toEqual([]);
  });

  /** Opens the queue of a node. */
  async function node(work: Readonly<Record<string, Work>>, prefix = "vigil:queue:test:") {
    const shared = await openRedis(redis.url, systemClock, { warn: () => undefined });
    const queue = bullQueue({ shared, prefix, name: "jobs", onFault: (error) => faults.push(error) });
    opened.push({ queue, shared });
    queue.begin(new Map(Object.entries(work)));
    return queue;
  }

  const isUsable = (queue: ClosableQueue): Promise<boolean> =>
    vi.waitUntil(() => queue.request("ping", { everyMs: HOUR_MS }), WAIT);
  const ping: Work = async () => undefined;

  test("a request is done once, by one of the nodes, with the value that it passed", async () => {
    const done: string[] = [];
    const doneBy = (name: string): Readonly<Record<string, Work>> => ({
      ping,
      build: async (basedOn) => void done.push(`${name} ${basedOn}`),
    });
    const nodes = [await node(doneBy("a")), await node(doneBy("a"))];
    await Promise.all(nodes.map(isUsable));
    for (const basedOn of [1, 2, 3]) {
      expect(await nodes[basedOn % 2]?.request("build", { basedOn })).toBe(true);
      await vi.waitUntil(() => done.length === basedOn, WAIT);
    }
    expect(done).toEqual(["a 1", "a 2", "a 3"]);
  });

  test("requests that wait count as one, and a request during the work is done afterwards", async () => {
    const { work, started, end } = held();
    const blocker = held();
    const queue = await node({ ping, work, blocker: blocker.work });
    await isUsable(queue);
    await queue.request("work", {});
    await vi.waitUntil(() => started.length === 1, WAIT);
    // A second run of the same work and a run of the other take the remaining places, so further requests wait.
    await queue.request("work", {});
    await vi.waitUntil(() => started.length === 2, WAIT);
    await queue.request("blocker", {});
    await vi.waitUntil(() => blocker.started.length === 1, WAIT);
    for (let request = 0; request < 5; request += 1) expect(await queue.request("work", {})).toBe(true);
    expect(started).toHaveLength(2);
    blocker.end();
    await vi.waitUntil(() => started.length === 3, WAIT);
    for (let run = 0; run < 3; run += 1) end();
    // The work is idle again, so a new request is done at once. If requests were still waiting, this run would be later.
    await queue.request("work", { basedOn: 9 });
    await vi.waitUntil(() => started.length === 4, WAIT);
    expect(started.at(-1)).toBe(9);
    end();
  });

  test("work that is due at an interval is done once per interval by all nodes together", async () => {
    const done: string[] = [];
    const work = { ping, job: async () => void done.push("job"), last: async () => void done.push("last") };
    const nodes = [await node(work), await node(work)];
    await Promise.all(nodes.map(isUsable));
    for (const queue of [...nodes, ...nodes]) expect(await queue.request("job", { everyMs: HOUR_MS })).toBe(true);
    await vi.waitUntil(() => done.length === 1, WAIT);
    // A request without an interval counts by itself.
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

  test.each(["killed and started again", "frozen and thawed"])(
    "while Redis is %s, requests are refused, and afterwards the queue works again",
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

  test("a node that starts while Redis is lost uses the queue once Redis is there", async () => {
    await redis.kill();
    const queue = await node({ ping });
    expect(await queue.request("ping", {})).toBe(false);
    await redis.start();
    await isUsable(queue);
  });

  test("a queue that closes takes no more work, and waits for the work under way", async () => {
    const { work, started, end } = held();
    const queue = await node({ ping, work });
    await isUsable(queue);
    await queue.request("work", {});
    await vi.waitUntil(() => started.length === 1, WAIT);
    let isClosed = false;
    const closing = queue.close().then(() => {
      isClosed = true;
    });
    await queue.request("work", {});
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    end();
    await closing;
    expect(started).toHaveLength(1);
  });

  test("a queue closes while Redis is lost", async () => {
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

  test("a queue that has done its work leaves no job in Redis", async () => {
    const done: string[] = [];
    const queue = await node({ ping, build: async () => void done.push("build") });
    await isUsable(queue);
    for (let run = 1; run <= 3; run += 1) {
      await queue.request("build", {});
      await vi.waitUntil(() => done.length === run, WAIT);
    }
    const { redis: commands } =
      opened[0]?.shared ?? (await openRedis(redis.url, systemClock, { warn: () => undefined }));
    await vi.waitUntil(async () => (await commands.keys("*:jobs:[0-9]*")).length === 0, WAIT);
  });
});
