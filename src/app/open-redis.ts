import { Redis } from "ioredis";
import type { Clock } from "../kit/clock.js";
import { type RedisLog, type RedisWatch, watchRedis } from "../limits/redis-watch.js";

/** The single connection for all state that nodes share through Redis. */
export interface OpenRedis {
  readonly redis: Redis;
  /** Runs the commands, so that one breaker serves everything that uses the connection. */
  readonly watch: RedisWatch;
  close(): void;
}

/** Time in ms that one command waits for its answer. */
const COMMAND_TIMEOUT_MS = 500;

/**
 * Connects. Resolves once Redis is connected or the first attempt has failed. Retries the connection until it succeeds.
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
