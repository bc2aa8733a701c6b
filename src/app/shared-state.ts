import { createHash } from "node:crypto";
import { noWorkQueue } from "../ingest/work-queue.js";
import type { Clock } from "../kit/clock.js";
import type { TokenSigner } from "../kit/signed-token.js";
import type { Limiter } from "../limits/limiter.js";
import { memoryLimiter } from "../limits/memory-limiter.js";
import { watchedLimiter } from "../limits/watched-limiter.js";
import type { SharedObservations } from "../upstream/shared-observations.js";
import { type Announcements, noAnnouncements } from "./announcements.js";
import type { ClosableQueue } from "./bull-queue.js";
import type { Logger } from "./log.js";
import type { OpenRedis } from "./open-redis.js";
import { version } from "./version.js";

/** State that the processes of one machine share without Redis. */
export interface Siblings {
  readonly limiter: Limiter;
  readonly announcements: Announcements;
}

/**
 * The state that nodes share through Redis. Without Redis, the processes of this machine share the state, or this
 * process alone keeps it in memory.
 */
export interface SharedState {
  readonly limiter: Limiter;
  readonly announcements: Announcements;
  /** Undefined without Redis. */
  readonly observations: SharedObservations | undefined;
  /**
   * Divides the jobs of services among the nodes that ingest. Without Redis, every such node starts every job;
   * leases or locks in the database then keep two nodes from doing the same work.
   */
  readonly jobs: ClosableQueue;
  /** The first part of the Redis keys of all queues; undefined without Redis. */
  readonly queuePrefix: string | undefined;
  close(): Promise<void>;
}

interface SharedStateOptions {
  readonly redisUrl: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signer: TokenSigner;
  readonly siblings: Siblings | undefined;
}

/** Connects to Redis if it is configured. Without Redis, the Redis client is not loaded. */
export async function openSharedState(options: SharedStateOptions): Promise<SharedState> {
  const { redisUrl, clock, log, signer, siblings } = options;
  if (redisUrl === undefined) {
    const { limiter, announcements } = siblings ?? { limiter: memoryLimiter(), announcements: noAnnouncements };
    return {
      limiter,
      announcements,
      observations: undefined,
      jobs: { ...noWorkQueue, close: async () => undefined },
      queuePrefix: undefined,
      async close() {
        await limiter.close();
        await announcements.close();
      },
    };
  }
  const { openRedis } = await import("./open-redis.js");
  const shared = await openRedis(redisUrl, clock, log);
  const { redisLimiter } = await import("../limits/redis-limiter.js");
  const limiter = watchedLimiter(redisLimiter(shared.redis, "vigil:limit:"), shared.watch);
  const { redisAnnouncements } = await import("./redis-announcements.js");
  const channel = `vigil:announcements:${digestWith(signer, "announcements")}`;
  const announcements = redisAnnouncements({ ...shared, channel });
  const { bullQueue } = await import("./bull-queue.js");
  const queuePrefix = `vigil:queue:${digestWith(signer, "queue", "", version)}:`;
  const onFault = (error: unknown): void => log.warn({ err: error }, "the queue of jobs met a fault");
  const jobs = bullQueue({ shared, prefix: queuePrefix, name: "jobs", onFault });
  return {
    limiter,
    announcements,
    observations: await sharedObservations(shared, clock, signer),
    jobs,
    queuePrefix,
    async close() {
      await limiter.close();
      await announcements.close();
      shared.close();
    },
  };
}

/** Shares the results of on-demand reads among the nodes of this store that run the same version. */
async function sharedObservations(
  { redis, watch }: OpenRedis,
  clock: Clock,
  signer: TokenSigner,
): Promise<SharedObservations> {
  const { redisObservations } = await import("./redis-observations.js");
  const digestOf = (key: string): string => digestWith(signer, "observation", key, version);
  return redisObservations({ redis, watch, prefix: "vigil:observation:", clock, digestOf });
}

/** Derives a name from `text`. Only the nodes of this store can compute the name, and it does not reveal the text. */
function digestWith(signer: TokenSigner, prefix: string, text = "", context = ""): string {
  return createHash("sha256")
    .update(signer.sign(prefix, text, context))
    .digest("base64url");
}
