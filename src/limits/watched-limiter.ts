import type { Limiter, Verdict } from "./limiter.js";
import type { RedisWatch } from "./redis-watch.js";

/**
 * Wraps a limiter so that its calls to Redis go through `watch`. These calls reject with `LimiterLost` while Redis is
 * unavailable.
 */
export function watchedLimiter(limiter: Limiter, watch: RedisWatch): Limiter {
  return {
    async take(charges, now) {
      const verdict = await watch.used(async () => limiter.take(charges, now));
      const giveBack: Verdict["giveBack"] = (which) => watch.used(async () => verdict.giveBack(which));
      return { ...verdict, giveBack };
    },
    look: (charges, now) => watch.used(async () => limiter.look(charges, now)),
    close: async () => limiter.close(),
  };
}
