import { type Clock, MINUTE_MS, SECOND_MS } from "../kit/clock.js";

/** The events of a Redis client that tell of its connection. */
export interface RedisEvents {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "close" | "ready", listener: () => void): unknown;
}

/** The part of a log that is used. */
export interface RedisLog {
  warn(fields: object, sentence: string): void;
}

/**
 * Warns when the connection is lost, once a minute while it stays lost, and when it is back. The client reports every
 * attempt to connect, which is every two seconds. Returns what ends the watch, before the connection is closed on purpose.
 */
export function watchRedis(redis: RedisEvents, clock: Pick<Clock, "now">, log: RedisLog): () => void {
  let isWatching = true;
  let lostAt: number | undefined;
  let warnedAt = 0;
  let reason: Error | undefined;

  function lost(): void {
    if (!isWatching) return;
    const now = clock.now();
    if (lostAt === undefined) {
      lostAt = now;
      log.warn({ err: reason }, "Redis is lost; reads go on without shared limits, and what needs them answers 503");
    } else if (now - warnedAt >= MINUTE_MS) {
      log.warn({ err: reason, lostSeconds: Math.round((now - lostAt) / SECOND_MS) }, "Redis is still lost");
    } else {
      return;
    }
    warnedAt = now;
  }

  redis.on("error", (error) => {
    reason = error;
    lost();
  });
  redis.on("close", lost);
  redis.on("ready", () => {
    if (lostAt !== undefined) {
      log.warn({ lostSeconds: Math.round((clock.now() - lostAt) / SECOND_MS) }, "Redis is back");
    }
    lostAt = undefined;
    reason = undefined;
  });
  return () => {
    isWatching = false;
  };
}
