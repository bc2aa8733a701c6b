import { Redis } from "ioredis";
import type { Clock } from "../kit/clock.js";
import { type RedisLog, type RedisWatch, watchRedis } from "../limits/redis-watch.js";

/** A connection to Redis that several parts of the process use for their commands. */
export interface OpenRedis {
  readonly redis: Redis;
  /** Runs the commands on the connection, so that all its users share one circuit breaker. */
  readonly watch: RedisWatch;
  close(): void;
}

/** Maximum time that a command waits for its answer, in ms. */
const COMMAND_TIMEOUT_MS = 500;

/**
 * Opens a further connection for commands that wait, for example for messages. These commands have no time limit. The
 * connection is retried until it is closed.
 */
export function waitingConnection(redis: Redis): Redis {
  const waiting = redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null, ...unlimited });
  // Ignored, because the watch on the first connection reports the loss of Redis.
  waiting.on("error", () => undefined);
  return waiting;
}

/** Connection options without the time limit of commands. */
const unlimited = { commandTimeout: undefined } as const;

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
