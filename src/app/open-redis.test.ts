import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTcpProxy, type TcpProxy } from "../../test/support/tcp-proxy.js";
import { SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { type Limit, LimiterLost } from "../limits/limiter.js";
import { redisLimiter } from "../limits/redis-limiter.js";
import { type RedisSpace, redisAddress, redisSpace, whyNoRedis } from "../limits/testing/redis.js";
import { watchedLimiter } from "../limits/watched-limiter.js";
import { openRedis } from "./open-redis.js";

const noRedis = await whyNoRedis();
const limit: Limit = { name: "daily", max: 1_000, window: { kind: "utc-day" } };
const charges = [{ subject: "account", limit }];

describe.skipIf(noRedis !== undefined)(
  noRedis === undefined ? "a Redis that hangs" : `a Redis that hangs, skipped: ${noRedis}`,
  () => {
    let space: RedisSpace;
    let proxy: TcpProxy;
    beforeEach(async () => {
      space = redisSpace();
      const { hostname, port } = new URL(redisAddress);
      proxy = await startTcpProxy({ host: hostname, port: Number(port) || 6379 });
    });
    afterEach(async () => {
      await proxy.close();
      await space.dispose();
    });

    async function opened() {
      const clock = manualClock(Date.UTC(2026, 10, 20, 12));
      const warnings: string[] = [];
      const log = {
        warn: (_fields: object, sentence: string): void => void warnings.push(sentence.split(";")[0] ?? ""),
      };
      const url = new URL(redisAddress);
      url.hostname = "127.0.0.1";
      url.port = String(proxy.port);
      const shared = await openRedis(url.href, clock, log);
      /** Number of commands that were sent to Redis. */
      let sent = 0;
      const counted = redisLimiter(
        {
          eval: (...parameters: Parameters<typeof shared.redis.eval>) => {
            sent += 1;
            return shared.redis.eval(...parameters);
          },
          evalsha: (...parameters: Parameters<typeof shared.redis.evalsha>) => {
            sent += 1;
            return shared.redis.evalsha(...parameters);
          },
        } as typeof shared.redis,
        space.prefix,
      );
      const limiter = watchedLimiter(counted, shared.watch);
      return { clock, warnings, shared, limiter, sent: () => sent };
    }

    test("a hanging Redis gets three commands, then one every two seconds, and limits are counted again once it answers", async () => {
      const { clock, warnings, shared, limiter, sent } = await opened();
      try {
        const verdict = await limiter.take(charges, clock.now());
        proxy.freeze();
        const before = sent();
        for (let calls = 0; calls < 50; calls += 1) {
          await expect(limiter.take(charges, clock.now())).rejects.toThrow(LimiterLost);
        }
        await expect(verdict.giveBack()).rejects.toThrow(LimiterLost);
        expect(sent() - before).toBe(3);

        clock.advance(2 * SECOND_MS);
        const tries = Array.from({ length: 20 }, () => limiter.look(charges, clock.now()));
        const settled = await Promise.allSettled(tries);
        expect(settled.every(({ status }) => status === "rejected")).toBe(true);
        expect(sent() - before).toBe(4);

        proxy.thaw();
        clock.advance(2 * SECOND_MS);
        expect((await limiter.take(charges, clock.now())).refused).toBeUndefined();
        expect(warnings).toEqual(["Redis is lost", "Redis is back"]);
      } finally {
        shared.close();
      }
    }, 20_000);

    test("openRedis resolves while Redis hangs, and the limiter then throws LimiterLost", async () => {
      proxy.freeze();
      const { clock, shared, limiter } = await opened();
      try {
        await expect(limiter.take(charges, clock.now())).rejects.toThrow(LimiterLost);
      } finally {
        shared.close();
      }
    }, 20_000);
  },
);
