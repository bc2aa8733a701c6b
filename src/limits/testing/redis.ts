import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { systemClock } from "../../kit/clock.js";

/** Gives a test its own key prefix in the Redis that all tests use, and opens connections to this Redis. */
export interface RedisSpace {
  readonly prefix: string;
  connect(): Redis;
  keys(): Promise<string[]>;
  /** Removes the keys and closes the connections. */
  dispose(): Promise<void>;
}

/** The Redis that tests use. */
export const redisAddress = process.env["REDIS_URL"] || "redis://127.0.0.1:6379";

export function redisSpace(): RedisSpace {
  const prefix = `vigil-test-${randomUUID()}`;
  const own = new Redis(redisAddress);
  const opened = [own];
  const keys = (): Promise<string[]> => own.keys(`${prefix}:*`);
  return {
    prefix,
    keys,
    connect() {
      const redis = new Redis(redisAddress);
      opened.push(redis);
      return redis;
    },
    async dispose() {
      const left = await keys();
      if (left.length > 0) await own.unlink(...left);
      await Promise.all(opened.map((redis) => redis.quit()));
    },
  };
}

/**
 * If no Redis answers and `REDIS_URL` is not set, tries to start a local Redis. Returns undefined if a Redis answers in
 * the end, otherwise the reason to skip the tests that need Redis.
 */
export async function whyNoRedis(): Promise<string | undefined> {
  const unreachable = await failureOfConnecting();
  if (unreachable === undefined || process.env["REDIS_URL"] || !(await startLocalRedis())) return unreachable;
  // A server that is starting refuses connections for a moment.
  for (let attempts = 0; attempts < 20; attempts += 1) {
    if ((await failureOfConnecting()) === undefined) return undefined;
    await systemClock.sleep(100);
  }
  return unreachable;
}

async function failureOfConnecting(): Promise<string | undefined> {
  const redis = new Redis(redisAddress, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  redis.on("error", () => undefined);
  try {
    await redis.connect();
    await redis.ping();
    return undefined;
  } catch {
    return `no Redis at ${new URL(redisAddress).host}`;
  } finally {
    redis.disconnect();
  }
}

/**
 * Starts a local server in the background. Returns false if `redis-server` is not installed. If another test file has
 * already started a server, the new one ends in the background, and tests use the first.
 */
async function startLocalRedis(): Promise<boolean> {
  const settings = "--daemonize yes --bind 127.0.0.1 -::1 --port 6379 --save".split(" ");
  try {
    await promisify(execFile)("redis-server", [...settings, "", "--appendonly", "no"]);
    return true;
  } catch {
    return false;
  }
}
