import { createHash } from "node:crypto";
import type { Clock } from "../kit/clock.js";
import type { TokenSigner } from "../kit/signed-token.js";
import type { Limiter } from "../limits/limiter.js";
import { memoryLimiter } from "../limits/memory-limiter.js";
import { watchedLimiter } from "../limits/watched-limiter.js";
import type { SharedObservations } from "../upstream/shared-observations.js";
import type { Logger } from "./log.js";
import type { OpenRedis } from "./open-redis.js";
import { version } from "./version.js";

/** The state that nodes share through Redis. Without one, this process counts limits in memory. */
export interface SharedState {
  readonly limiter: Limiter;
  /** Undefined without Redis. */
  readonly observations: SharedObservations | undefined;
  close(): Promise<void>;
}

interface SharedStateOptions {
  readonly redisUrl: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signer: TokenSigner;
}

/** Connects to Redis if one is configured. Its client is loaded only then. */
export async function openSharedState({ redisUrl, clock, log, signer }: SharedStateOptions): Promise<SharedState> {
  if (redisUrl === undefined) {
    const limiter = memoryLimiter();
    return { limiter, observations: undefined, close: () => limiter.close() };
  }
  const { openRedis } = await import("./open-redis.js");
  const shared = await openRedis(redisUrl, clock, log);
  const { redisLimiter } = await import("../limits/redis-limiter.js");
  const limiter = watchedLimiter(redisLimiter(shared.redis, "vigil:limit:"), shared.watch);
  return {
    limiter,
    observations: await sharedObservations(shared, clock, signer),
    async close() {
      await limiter.close();
      shared.close();
    },
  };
}

/** Shares observations at request time between the nodes of this store that run the same version. */
async function sharedObservations(
  { redis, watch }: OpenRedis,
  clock: Clock,
  signer: TokenSigner,
): Promise<SharedObservations> {
  const { redisObservations } = await import("./redis-observations.js");
  // Signed with the store's key: nodes of other stores cannot read it, and the key does not reveal the query.
  const digestOf = (key: string): string =>
    createHash("sha256")
      .update(signer.sign("observation", key, version))
      .digest("base64url");
  return redisObservations({ redis, watch, prefix: "vigil:observation:", clock, digestOf });
}
