import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../kit/clock.js";
import type { Limit } from "./limiter.js";
import { redisLimiter } from "./redis-limiter.js";
import { type RedisSpace, redisSpace, whyNoRedis } from "./testing/redis.js";

const T = Date.UTC(2026, 10, 20, 12);

const hourly: Limit = { name: "hourly", max: 20, window: { kind: "sliding", ms: HOUR_MS } };
const daily: Limit = { name: "daily", max: 30, window: { kind: "utc-day" } };
const charges = [hourly, daily].map((limit) => ({ subject: "account", limit }));

const noRedis = await whyNoRedis();

describe.skipIf(noRedis !== undefined)(noRedis === undefined ? "redis" : `redis, skipped: ${noRedis}`, () => {
  let space: RedisSpace;
  beforeEach(() => {
    space = redisSpace();
  });
  afterEach(() => space.dispose());

  const node = () => redisLimiter(space.connect(), space.prefix);

  test("50 concurrent callers of two nodes share the maximum, regardless of their clocks", async () => {
    const nodes = [node(), node()];
    const aheadMs = [0, 250, -250];
    const verdicts = await Promise.all(
      Array.from({ length: 50 }, async (_, caller) => nodes[caller % 2]?.take(charges, T + (aheadMs[caller % 3] ?? 0))),
    );
    expect(verdicts.filter((verdict) => verdict?.refused === undefined)).toHaveLength(20);
    const standings = await nodes[0]?.look(charges, T);
    expect(standings?.map(({ remaining }) => remaining)).toEqual([0, 10]);
  });

  test("a unit that its caller gives back twice is freed only once, whichever node counted it", async () => {
    const nodes = [node(), node()];
    await Promise.all(
      Array.from({ length: 20 }, async (_, caller) => {
        const verdict = await nodes[caller % 2]?.take(charges, T);
        if (caller < 5) await Promise.all([verdict?.giveBack(), verdict?.giveBack()]);
      }),
    );
    const standings = await nodes[0]?.look(charges, T);
    expect(standings?.map(({ remaining }) => remaining)).toEqual([5, 15]);
  });

  test("a node whose clock is behind counts at the newest time at which any node has counted", async () => {
    const limit: Limit = { ...hourly, max: 1 };
    const take = async (now: number) => node().take([{ subject: "account", limit }], now);
    await take(T);
    await take(T + HOUR_MS);
    expect((await take(T + HOUR_MS - 1)).refused?.resetAt).toBe(T + 2 * HOUR_MS);
  });

  describe("a clock that was ahead and is set back", () => {
    const ahead = T + 2 * DAY_MS;
    const slidingKey = () => `${space.prefix}:sliding:hourly:account`;
    const dayKey = () => `${space.prefix}:utc-day:daily:account`;
    /** Changes the time of the last count to `ms` ago, by the clock of Redis. */
    async function countedAgo(ms: number): Promise<void> {
      const redis = space.connect();
      const counted = Date.now() - ms;
      await redis.zadd(slidingKey(), -1 - counted, "counted");
      await redis.hset(dayKey(), "counted", counted);
    }
    const remainingAt = async (now: number) => (await node().look(charges, now)).map(({ remaining }) => remaining);

    test("units counted by a clock that was ahead are dropped 30 s after they were counted", async () => {
      for (let unit = 0; unit < 20; unit += 1) await node().take(charges, ahead);
      expect((await node().take(charges, T)).refused?.limit).toBe(hourly);
      await countedAgo(29_000);
      expect((await node().take(charges, T)).refused?.limit).toBe(hourly);
      await countedAgo(31_000);
      expect(await remainingAt(T)).toEqual([20, 30]);
      expect((await node().take(charges, T)).standings.map(({ remaining }) => remaining)).toEqual([19, 29]);
      expect(await remainingAt(T)).toEqual([19, 29]);
    });

    test("units counted by a node whose clock is ahead are kept while that node still counts", async () => {
      await node().take(charges, ahead);
      await countedAgo(31_000);
      await node().take(charges, ahead);
      expect(await remainingAt(T)).toEqual([18, 28]);
    });

    test("a clock set back by up to 30 s drops no unit", async () => {
      await node().take(charges, T);
      await countedAgo(31_000);
      expect(await remainingAt(T - 30_000)).toEqual([19, 29]);
    });

    test("giving back a unit that was already dropped frees no other unit", async () => {
      const verdict = await node().take(charges, ahead);
      await countedAgo(31_000);
      await node().take(charges, T);
      await verdict.giveBack();
      expect(await remainingAt(T)).toEqual([19, 29]);
    });
  });

  test("the limiter works even if Redis has lost the limiter's scripts, for example in a restart", async () => {
    const limiter = node();
    const verdict = await limiter.take(charges, T);
    await space.connect().script("FLUSH");
    await limiter.take(charges, T);
    await space.connect().script("FLUSH");
    await verdict.giveBack();
    expect((await limiter.look(charges, T)).map(({ remaining }) => remaining)).toEqual([19, 29]);
  });

  test("a failure of Redis rejects the call", async () => {
    const redis = space.connect();
    await redis.set(`${space.prefix}:sliding:hourly:account`, "not a sorted set");
    await expect(redisLimiter(redis, space.prefix).take(charges, T)).rejects.toThrow("WRONGTYPE");
  });

  test("every key expires after two windows and a minute", async () => {
    await node().take(charges, T);
    const redis = space.connect();
    for (const [key, windowMs] of [["sliding:hourly", HOUR_MS] as const, ["utc-day:daily", DAY_MS] as const]) {
      const leftMs = await redis.pttl(`${space.prefix}:${key}:account`);
      expect(leftMs).toBeGreaterThan(2 * windowMs);
      expect(leftMs).toBeLessThanOrEqual(2 * windowMs + MINUTE_MS);
    }
    expect(await space.keys()).toHaveLength(2);
  });

  test("expired units take no memory", async () => {
    const limiter = node();
    for (let hour = 0; hour < 5; hour += 1) await limiter.take(charges, T + hour * HOUR_MS);
    // The three members are the last unit, the newest time, and the time at which the last unit was counted.
    expect(await space.connect().zcard(`${space.prefix}:sliding:hourly:account`)).toBe(3);
  });

  test("a read and a refusal leave no key", async () => {
    const none: Limit = { ...daily, name: "none", max: 0 };
    const limiter = node();
    await limiter.look(charges, T);
    expect((await limiter.take([...charges, { subject: "account", limit: none }], T)).refused?.limit).toBe(none);
    expect(await space.keys()).toEqual([]);
  });

  test("limiters with different prefixes share nothing, and closing a limiter leaves the connection open", async () => {
    const redis = space.connect();
    const [first, second] = ["one", "other"].map((name) => redisLimiter(redis, `${space.prefix}:${name}`));
    await first?.take(charges, T);
    await first?.close();
    expect((await second?.take(charges, T))?.standings.map(({ remaining }) => remaining)).toEqual([19, 29]);
  });
});
