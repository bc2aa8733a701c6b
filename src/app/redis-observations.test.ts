import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OnDemandPolicy } from "../contract/on-demand.js";
import { SourceFailure } from "../contract/source.js";
import { HOUR_MS, SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { LimiterLost } from "../limits/limiter.js";
import { type RedisSpace, redisSpace, whyNoRedis } from "../limits/testing/redis.js";
import { createOnDemandReader } from "../upstream/on-demand.js";
import { redisObservations } from "./redis-observations.js";

const noRedis = await whyNoRedis();
const START = Date.UTC(2026, 10, 21, 12);
const policy: OnDemandPolicy = {
  ttlMs: 60_000,
  missTtlMs: 30_000,
  timeLimitMs: 20_000,
  staleWhileErrorMs: 120_000,
};
const key = 'flights {"airport":"IST"}';

describe.skipIf(noRedis !== undefined)(
  noRedis === undefined ? "nodes that share a Redis" : `nodes that share a Redis, skipped: ${noRedis}`,
  () => {
    let space: RedisSpace;
    beforeEach(() => {
      space = redisSpace();
    });
    afterEach(() => space.dispose());

    /** A node that has its own clock, reads by calling `load`, and counts these calls. */
    function node(load: () => Promise<readonly unknown[] | undefined>, more: { readonly bytesMax?: number } = {}) {
      const clock = manualClock(START);
      const state = { loads: 0, isLost: false };
      const shared = redisObservations({
        redis: space.connect(),
        watch: {
          used: async (command) => {
            if (state.isLost) throw new LimiterLost("Redis cannot be used");
            return await command();
          },
          end: () => undefined,
        },
        prefix: `${space.prefix}:`,
        clock,
        digestOf: (text) => `digest-of-${text.length}`,
        turnMs: 300,
        ...more,
      });
      const reader = createOnDemandReader({ clock, shared });
      const read = () =>
        reader.read(key, policy, async () => {
          state.loads += 1;
          return await load();
        });
      return { clock, state, read };
    }

    const rows = async (): Promise<readonly unknown[]> => [{ flight: "VG1", seats: null }];
    const unavailable = async (): Promise<never> => {
      throw new SourceFailure("unavailable", "answered 503");
    };

    /** A load that stays pending until the test finishes it. */
    function heldLoad() {
      let finish = (_rows: readonly unknown[]): void => undefined;
      const load = (): Promise<readonly unknown[]> => new Promise((resolve) => (finish = resolve));
      return { load, finish: (records: readonly unknown[]) => finish(records) };
    }

    /** A node whose read stays pending until the test finishes it, and another node that waits for that read. */
    async function readerAndWaiter() {
      const held = heldLoad();
      const [reader, waiter] = [node(held.load), node(rows)];
      const reading = reader.read();
      await expect.poll(() => reader.state.loads).toBe(1);
      const waiting = waiter.read();
      // The two sleepers are the waiter's time limit and its wait for the next poll.
      await expect.poll(() => waiter.clock.sleeping).toBe(2);
      return { held, waiter, reading, waiting };
    }

    test("one node reads the upstream, and the others share its observation until it expires", async () => {
      const [first, second] = [node(rows), node(rows)];
      expect(await first.read()).toMatchObject({ state: "fresh", fetchedAt: START });
      second.clock.advance(59_999);
      expect(await second.read()).toEqual({
        state: "cached",
        fetchedAt: START,
        expiresAt: START + 60_000,
        data: [{ flight: "VG1", seats: null }],
      });
      expect(second.state.loads).toBe(0);
      second.clock.advance(1);
      expect(await second.read()).toMatchObject({ state: "fresh", fetchedAt: START + 60_000 });
      expect(second.state.loads).toBe(1);
    });

    test("an observation dated in the future is replaced by one new read, whose observation is shared", async () => {
      const [first, second, third] = [node(rows), node(rows), node(rows)];
      await first.read();
      for (const { clock } of [second, third]) clock.set(START - HOUR_MS);
      expect(await second.read()).toMatchObject({ state: "fresh", fetchedAt: START - HOUR_MS });
      expect(await third.read()).toMatchObject({ state: "cached", fetchedAt: START - HOUR_MS });
      expect(third.state.loads).toBe(0);
    });

    test("the absence of a record is shared too", async () => {
      const [first, second] = [node(async () => undefined), node(rows)];
      await first.read();
      expect(await second.read()).toEqual({ state: "miss", fetchedAt: START, expiresAt: START + 30_000 });
      expect(second.state.loads).toBe(0);
    });

    test("if the read of a node fails, the node uses the expired observation that another node shared", async () => {
      const [first, second] = [node(rows), node(unavailable)];
      await first.read();
      second.clock.advance(60_000);
      expect(await second.read()).toMatchObject({ state: "stale", fetchedAt: START });
      expect(second.state.loads).toBe(1);
    });

    test("one node reads at a time, and waiting nodes take its answer", async () => {
      const { held, waiter, reading, waiting } = await readerAndWaiter();
      held.finish([1]);
      await reading;
      waiter.clock.advance(100);
      expect(await waiting).toMatchObject({ state: "cached", data: [1] });
      expect(waiter.state.loads).toBe(0);
    });

    test("after the read of one node has failed, the next node reads immediately", async () => {
      const [first, second] = [node(unavailable), node(rows)];
      expect(await first.read()).toMatchObject({ state: "error" });
      expect(await second.read()).toMatchObject({ state: "fresh" });
    });

    test("a node that dies while it reads loses its turn, and the next node reads", async () => {
      // The clock of `dead` does not advance, so this node never renews its turn.
      const [dead, two] = [node(() => new Promise(() => undefined)), node(rows)];
      void dead.read();
      await expect.poll(() => dead.state.loads).toBe(1);
      const read = two.read();
      await expect
        .poll(
          () => {
            two.clock.advance(100);
            return two.state.loads;
          },
          { timeout: 5_000 },
        )
        .toBe(1);
      expect(await read).toMatchObject({ state: "fresh" });
    });

    test("a node with a long read keeps its turn", async () => {
      const held = heldLoad();
      const [first, second] = [node(held.load), node(rows)];
      const longRead = first.read();
      await expect.poll(() => first.state.loads).toBe(1);
      const [turn = ""] = await space.keys();
      const redis = space.connect();
      const read = second.read();
      for (let times = 0; times < 3; times += 1) {
        // Shortens the turn, so that it would end soon if the node did not renew it.
        await redis.pexpire(turn, 150);
        await expect
          .poll(() => {
            first.clock.advance(100);
            return redis.pttl(turn);
          })
          .toBeGreaterThan(150);
        second.clock.advance(100);
      }
      expect(second.state.loads).toBe(0);
      held.finish([1]);
      await longRead;
      await expect
        .poll(() => {
          second.clock.advance(100);
          return Promise.race([read, undefined]);
        })
        .toMatchObject({ state: "cached", data: [1] });
    });

    test("each node reads on its own while Redis is unavailable", async () => {
      const [first, second] = [node(rows), node(rows)];
      first.state.isLost = true;
      second.state.isLost = true;
      expect(await first.read()).toMatchObject({ state: "fresh" });
      expect(await second.read()).toMatchObject({ state: "fresh" });
      expect(await space.keys()).toEqual([]);
    });

    test("losing Redis during a read does not affect the read", async () => {
      const held = heldLoad();
      const first = node(held.load);
      const read = first.read();
      await expect.poll(() => first.state.loads).toBe(1);
      first.state.isLost = true;
      held.finish([1]);
      expect(await read).toMatchObject({ state: "fresh", data: [1] });
    });

    test("a node that waits beyond its time limit fails, and leaves no turn behind", async () => {
      const { held, waiter, reading, waiting } = await readerAndWaiter();
      waiter.clock.advance(policy.timeLimitMs);
      expect(await waiting).toMatchObject({ state: "error" });
      held.finish([1]);
      await reading;
      await expect.poll(() => space.keys()).toHaveLength(1);
    });

    test("a large observation is not shared, and leaves no key", async () => {
      const [first, second] = [node(rows, { bytesMax: 100 }), node(rows)];
      await first.read();
      expect(await space.keys()).toEqual([]);
      expect(await second.read()).toMatchObject({ state: "fresh" });
    });

    test("an entry is kept for as long as it may be served stale, under a key that does not reveal the query", async () => {
      await node(rows).read();
      const keys = await space.keys();
      expect(keys).toHaveLength(1);
      expect(keys[0]).not.toContain("IST");
      const leftMs = await space.connect().pttl(keys[0] ?? "");
      expect(leftMs).toBeGreaterThan(180_000 - 30 * SECOND_MS);
      expect(leftMs).toBeLessThanOrEqual(180_000);
    });

    test("an entry that is not an observation is ignored", async () => {
      const redis = space.connect();
      await node(rows).read();
      const [entry = ""] = await space.keys();
      for (const text of ["{", '{"state":"fresh"}', "7"]) {
        await redis.hset(entry, "observation", text);
        expect(await node(rows).read()).toMatchObject({ state: "fresh", fetchedAt: START });
      }
    });
  },
);
