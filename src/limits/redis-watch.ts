import { type Clock, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { LimiterLost } from "./limiter.js";

/** The events of a Redis client that tell of its connection. */
export interface RedisEvents {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "close" | "ready", listener: () => void): unknown;
}

/** The part of a log that is used. */
export interface RedisLog {
  warn(fields: object, sentence: string): void;
}

/** Follows whether Redis can be used. */
export interface RedisWatch {
  /** Awaits a command. One that fails is warned of like a lost connection and rejects with `LimiterLost`. */
  used<T>(command: Promise<T>): Promise<T>;
  /** Ends the watch, before the connection is closed on purpose. */
  end(): void;
}

/**
 * Warns when Redis is lost, once a minute while it stays lost, and when it is back, however many calls meet it. The
 * client reports every attempt to connect, which is every two seconds.
 */
export function watchRedis(redis: RedisEvents, clock: Pick<Clock, "now">, log: RedisLog): RedisWatch {
  let isWatching = true;
  let lostAt: number | undefined;
  let warnedAt: number | undefined;
  /** Whether the present loss has been warned of. */
  let isTold = false;

  function lost(reason?: Error): void {
    if (!isWatching) return;
    const now = clock.now();
    const isNew = lostAt === undefined;
    lostAt ??= now;
    // A Redis that comes and goes is told of once a minute as well.
    if (warnedAt !== undefined && now - warnedAt < MINUTE_MS) return;
    warnedAt = now;
    isTold = true;
    const fields = { ...(reason && { reason: reason.message }) };
    if (isNew) {
      log.warn(fields, "Redis is lost; reads go on without shared limits, and what needs them answers 503");
    } else {
      log.warn({ ...fields, lostSeconds: Math.round((now - lostAt) / SECOND_MS) }, "Redis is still lost");
    }
  }

  function found(): void {
    if (lostAt === undefined) return;
    if (isTold) log.warn({ lostSeconds: Math.round((clock.now() - lostAt) / SECOND_MS) }, "Redis is back");
    lostAt = undefined;
    isTold = false;
  }

  redis.on("error", lost);
  redis.on("close", () => lost());
  redis.on("ready", found);
  return {
    used: (command) =>
      command.then(
        (value) => {
          found();
          return value;
        },
        (error: unknown) => {
          lost(error instanceof Error ? error : undefined);
          throw new LimiterLost("Redis cannot be used", { cause: error });
        },
      ),
    end() {
      isWatching = false;
    },
  };
}
