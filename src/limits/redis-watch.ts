import { BreakerOpen, createBreaker } from "../kit/breaker.js";
import { type Clock, isWithin, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { LimiterLost } from "./limiter.js";

/** The connection events of a Redis client. */
export interface RedisEvents {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "close" | "ready", listener: () => void): unknown;
}

/** The subset of a log that the watch uses. */
export interface RedisLog {
  warn(fields: object, sentence: string): void;
}

/**
 * Number of consecutive failures after which commands are refused. The number is low, because each failed command may
 * have waited until its time limit.
 */
const FAILURES_MAX = 3;
/** Time for which commands are refused before one command tries Redis again. */
const REST_MS = 2 * SECOND_MS;

/** Tracks the availability of Redis. */
export interface RedisWatch {
  /**
   * Runs a command. A failure is logged like a lost connection, and the call rejects with `LimiterLost`. After a few
   * consecutive failures, commands reject immediately until a trial command is answered.
   */
  used<T>(command: () => Promise<T>): Promise<T>;
  /** Ends the watch. Must be called before the connection is closed on purpose. */
  end(): void;
}

/**
 * Warns when Redis is lost, once a minute while it stays lost, and when it is back. The number of warnings does not
 * depend on the number of affected calls. The Redis client itself would report every attempt to connect, and it makes
 * at least one every two seconds.
 */
export function watchRedis(redis: RedisEvents, clock: Pick<Clock, "now">, log: RedisLog): RedisWatch {
  let isWatching = true;
  let lostAt: number | undefined;
  let warnedAt: number | undefined;
  /** True once the present loss has been logged. */
  let isLogged = false;

  const breaker = createBreaker({ clock, failuresMax: FAILURES_MAX, restMs: REST_MS }, isNoAnswer);

  function lost(reason?: Error): void {
    if (!isWatching) return;
    const now = clock.now();
    const isNew = lostAt === undefined;
    lostAt ??= now;
    // Even a flapping Redis is logged at most once a minute.
    if (warnedAt !== undefined && isWithin(now, warnedAt, MINUTE_MS)) return;
    warnedAt = now;
    isLogged = true;
    const fields = { ...(reason && { reason: reason.message }) };
    if (isNew) {
      log.warn(
        fields,
        "Redis is lost; reads continue without shared limits, and calls that need Redis are answered with 503",
      );
    } else {
      log.warn({ ...fields, lostSeconds: Math.round((now - lostAt) / SECOND_MS) }, "Redis is still lost");
    }
  }

  function back(): void {
    if (lostAt === undefined) return;
    if (isLogged) log.warn({ lostSeconds: Math.round((clock.now() - lostAt) / SECOND_MS) }, "Redis is back");
    lostAt = undefined;
    isLogged = false;
  }

  redis.on("error", lost);
  redis.on("close", () => lost());
  redis.on("ready", () => {
    breaker.close();
    back();
  });
  return {
    async used(command) {
      try {
        const value = await breaker.run(command);
        back();
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

/**
 * Returns true if Redis did not answer. An error reply from Redis is an answer: it arrives without delay, so it does
 * not count as a failure.
 */
function isNoAnswer(error: unknown): boolean {
  return !(error instanceof Error && error.name === "ReplyError");
}
