import { Redis } from "ioredis";
import type { Clock } from "../kit/clock.js";
import { type RedisLog, type RedisWatch, watchRedis } from "../limits/redis-watch.js";

/** A connection to Redis that several parts of the process use for their commands. */
export interface OpenRedis {
  readonly redis: Redis;
  /** Runs all commands on the connection, so that all its users share one circuit breaker. */
  readonly watch: RedisWatch;
  close(): void;
}

/** Maximum time that a command waits for its answer, in ms. */
const COMMAND_TIMEOUT_MS = 500;

/**
 * Connects to Redis. Resolves once the first attempt has succeeded or failed; a failed connection is retried until it
 * succeeds.
 */
export async function openRedis(url: string, clock: Clock, log: RedisLog): Promise<OpenRedis> {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
  });
  const watch = watchRedis(redis, clock, log);
  await new Promise<void>((resolve) => {
    redis.once("ready", resolve);
    redis.once("error", () => resolve());
  });
  return {
    redis,
    watch,
    close() {
      watch.end();
      redis.disconnect();
    },
  };
}
