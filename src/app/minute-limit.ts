import { type Failure, failure } from "../contract/failures.js";
import { MINUTE_MS, monotonicMs } from "../kit/clock.js";
import { headersIn } from "../kit/head-lines.js";
import type { Limit } from "../limits/limiter.js";
import { rateLimitLines } from "../limits/rate-limit-lines.js";
import { WorkMeter } from "../limits/work-meter.js";

/**
 * Limits the units that each caller uses in any 60 seconds. Checking and charging are separate, because the cost of a
 * call may be known only after it has run.
 */
export interface MinuteLimit {
  /** Throws 429 for a caller who has used up the units in the last 60 seconds. */
  check(caller: string): void;
  use(caller: string, units: number): void;
}

export function minuteLimit(name: string, max: number, now: () => number = monotonicMs): MinuteLimit {
  const meter = new WorkMeter({ unitsMax: max });
  return {
    check(caller) {
      const waitMs = meter.waitMs(caller, now());
      if (waitMs > 0) throw usedUp({ name, max, window: { kind: "sliding", ms: MINUTE_MS } }, waitMs);
    },
    use: (caller, units) => meter.add(caller, units, now()),
  };
}

function usedUp(limit: Limit, waitMs: number): Failure {
  const standing = { limit, remaining: 0, resetAt: waitMs };
  // `X-RateLimit-Reset` is omitted, because its value is an instant, and the meter returns only a duration.
  const { "X-RateLimit-Reset": _instant, ...headers } = headersIn(rateLimitLines([standing], standing, 0));
  return failure("tooManyRequests", { headers });
}
