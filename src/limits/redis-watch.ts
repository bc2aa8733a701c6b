import { BreakerOpen, createBreaker } from "../kit/breaker.js";
import { type Clock, isWithin, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
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

/** Commands that fail in a row before Redis is left alone. Each may have waited for its time limit. */
const FAILURES_MAX = 3;
/** Time for which Redis is left alone before one command tries it again. */
const REST_MS = 2 * SECOND_MS;

/** Follows whether Redis can be used. */
export interface RedisWatch {
  /**
   * Runs a command. One that fails is warned of like a lost connection and rejects with `LimiterLost`. After some
   * failures in a row commands are not run but reject at once, until one that tries again is answered.
   */
  used<T>(command: () => Promise<T>): Promise<T>;
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
  /** True once the present loss has been logged. */
  let isTold = false;

  const breaker = createBreaker({ clock, failuresMax: FAILURES_MAX, restMs: REST_MS }, isNoAnswer);

  function lost(reason?: Error): void {
    if (!isWatching) return;
    const now = clock.now();
    const isNew = lostAt === undefined;
    lostAt ??= now;
    // A Redis that comes and goes is told of once a minute as well.
    if (warnedAt !== undefined && isWithin(now, warnedAt, MINUTE_MS)) return;
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
  redis.on("ready", () => {
    breaker.close();
    found();
  });
  return {
    async used(command) {
      try {
        const value = await breaker.run(command);
        found();
        return value;
      } catch (error) {
        const cause = error instanceof BreakerOpen ? error.cause : error;
        lost(cause instanceof Error ? cause : undefined);
        throw new LimiterLost("Redis cannot be used", { cause });
      }
    },
    end() {
      isWatching = false;
    },
  };
}

/** Returns true if Redis did not answer at all. A refusal is an answer and arrives without delay. */
function isNoAnswer(error: unknown): boolean {
  return !(error instanceof Error && error.name === "ReplyError");
}
