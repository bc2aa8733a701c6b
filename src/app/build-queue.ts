import type { Clock } from "../kit/clock.js";
import { bullQueue, type ClosableQueue } from "./bull-queue.js";
import { openRedis } from "./open-redis.js";

/** Opens the shared queue of builds, for the thread that builds. The queue has Redis connections of its own. */
export async function openBuildQueue(
  redisUrl: string,
  prefix: string,
  clock: Clock,
  onFault: (error: unknown) => void,
): Promise<ClosableQueue> {
  // The service itself logs the loss of Redis.
  const shared = await openRedis(redisUrl, clock, { warn: () => undefined });
  const queue = bullQueue({ shared, prefix, name: "builds", onFault });
  return {
    ...queue,
    async close() {
      try {
        await queue.close();
      } finally {
        shared.close();
      }
    },
  };
}
