import { createHash } from "node:crypto";
import type { Job, Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Work, WorkQueue, WorkRequest } from "../ingest/work-queue.js";
import { SECOND_MS, systemClock } from "../kit/clock.js";
import { LimiterLost } from "../limits/limiter.js";
import type { OpenRedis } from "./open-redis.js";

export interface BullQueueParts {
  /** The connection for requests. The worker has connections of its own, because it waits on them. */
  readonly shared: Pick<OpenRedis, "redis" | "watch">;
  /** The first part of all keys of the queue. Only nodes of the same store and version have it. */
  readonly prefix: string;
  readonly name: string;
  /** Called for errors other than the loss of Redis, which the watch reports. */
  readonly onFault: (error: unknown) => void;
}

/** A queue that its owner closes. */
export interface ClosableQueue extends WorkQueue {
  /** Resolves when the work that the queue has assigned to this node has ended. */
  close(): Promise<void>;
}

interface Opened {
  readonly queue: Queue;
  readonly worker: Worker;
  /** The connection of the worker. */
  readonly redis: Redis;
}

/** Time until the next attempt to open the queue after a failed one. */
const OPEN_RETRY_MS = 5 * SECOND_MS;
/** Time until a worker tries again what Redis did not answer. */
const WORKER_RETRY_MS = SECOND_MS;
/**
 * Time between two searches for work whose node has ended. Also the longest time for which a stopped process lives on
 * if Redis is lost in the moment of the stop.
 */
const STALLED_LOOKED_AT_MS = 10 * SECOND_MS;
/** Maximum time that a stopping node waits for Redis, in ms. */
const CLOSE_MS_MAX = SECOND_MS;
/** Part of the interval of repeated work in which only one request counts. The rest is a tolerance for timers. */
const COUNTED_ONCE = 0.9;
/** Maximum length of the queue's own log of events, which nothing reads. */
const EVENTS_MAX = 100;
const DIGEST_CHARACTERS = 16;
/** Codes of errors that BullMQ passes on when it connects again. */
const CONNECTION_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/**
 * Divides work through BullMQ on Redis. The nodes that can do the same work share a queue. While Redis is lost,
 * `request` resolves to false. Redis need not keep anything: a lost request is repeated when the work is due again.
 *
 * Times are those of the machine, not of the service's clock, because BullMQ and Redis use no other.
 */
export function bullQueue({ shared, prefix, name, onFault }: BullQueueParts): ClosableQueue {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  let opening: Promise<void> | undefined;
  let opened: Opened | undefined;

  async function keepOpening(work: ReadonlyMap<string, Work>): Promise<void> {
    const names = [...work.keys()].sort();
    const digest = createHash("sha256").update(names.join("\n")).digest("base64url").slice(0, DIGEST_CHARACTERS);
    let isReported = false;
    while (!stopping.signal.aborted) {
      try {
        opened = await open(`${prefix}${digest}`, work);
        return;
      } catch (error) {
        if (!isReported && !stopping.signal.aborted) isReported = reported(shared.redis, error);
      }
      await systemClock.sleep(OPEN_RETRY_MS, stopping.signal).catch(() => undefined);
    }
  }

  /** Rejects if Redis is lost before the queue can be used. BullMQ would not recover from that. */
  async function open(keyPrefix: string, work: ReadonlyMap<string, Work>): Promise<Opened> {
    // Loaded here, so that the start does not wait for it.
    const bullmq = await import("bullmq");
    const redis = shared.redis.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null, ...unlimited });
    const queue = new bullmq.Queue(name, {
      connection: shared.redis,
      prefix: keyPrefix,
      streams: { events: { maxLen: EVENTS_MAX } },
    });
    const worker = new bullmq.Worker(name, (job) => process(job, work), {
      connection: redis,
      prefix: keyPrefix,
      // All work may be under way at once: it is bounded elsewhere, and a slow source must not delay the others.
      concurrency: work.size,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      runRetryDelay: WORKER_RETRY_MS,
      stalledInterval: STALLED_LOOKED_AT_MS,
    });
    redis.on("error", () => undefined);
    queue.on("error", (error) => reported(shared.redis, error));
    worker.on("error", (error) => reported(redis, error));
    const ready = { queue, worker, redis };
    try {
      await unlessStopping(Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]));
      return ready;
    } catch (error) {
      await close(ready);
      throw error;
    }
  }

  /** Passes an error to `onFault` and returns true. If a lost connection explains the error, only returns false. */
  function reported({ status }: Redis, error: unknown): boolean {
    const isFault = status === "ready" && !CONNECTION_CODES.has(codeOf(error));
    if (isFault) onFault(error);
    return isFault;
  }

  async function process(job: Job, work: ReadonlyMap<string, Work>): Promise<void> {
    const doIt = work.get(job.name);
    // A request that arrives from now on counts as a new one, because this run may miss the change that caused it.
    if (job.opts.deduplication?.ttl === undefined) await job.removeDeduplicationKey();
    if (!doIt || stopping.signal.aborted) return;
    const { basedOn } = Object(job.data);
    const done = doIt(typeof basedOn === "number" ? basedOn : undefined);
    underWay.add(done);
    await done.finally(() => underWay.delete(done));
  }

  async function unlessStopping<T>(result: Promise<T>): Promise<T> {
    const stopped = new Promise<never>((_resolve, reject) => {
      stopping.signal.addEventListener("abort", () => reject(stopping.signal.reason), { once: true });
    });
    return Promise.race([result, stopped]);
  }

  /** Waits for Redis only for a short time, because a lost Redis would never confirm the end. */
  async function close({ queue, worker, redis }: Opened): Promise<void> {
    const isLost = redis.status !== "ready";
    if (isLost) await Promise.all(underWay);
    // Without force, a worker whose Redis is lost would keep the process alive.
    const closed = Promise.all([worker.close(isLost), queue.close()]).catch(() => undefined);
    await Promise.all(underWay);
    const over = new AbortController();
    await Promise.race([closed, systemClock.sleep(CLOSE_MS_MAX, over.signal).catch(() => undefined)]);
    over.abort();
    redis.disconnect();
  }

  return {
    begin(work) {
      if (work.size > 0) opening = keepOpening(work);
    },
    async request(workName, request) {
      if (opened?.redis.status !== "ready" || !opened.worker.isRunning()) return false;
      const { queue } = opened;
      try {
        await shared.watch.used(() => queue.add(workName, { basedOn: request.basedOn }, optionsOf(workName, request)));
        return true;
      } catch (error) {
        if (error instanceof LimiterLost) return false;
        throw error;
      }
    },
    async close() {
      stopping.abort(new Error("stopping"));
      await opening;
      if (opened) await close(opened);
      opened = undefined;
    },
  };
}

/** Removes the time limit of commands, because a worker waits for its next work as long as necessary. */
const unlimited = { commandTimeout: undefined } as const;

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code);
}

function optionsOf(name: string, { everyMs }: WorkRequest) {
  if (everyMs === undefined) return { deduplication: { id: name } };
  const id = `due ${name}`;
  // If the first request has not been fulfilled when the time is over, the id prevents a second one from being queued.
  return { jobId: id, deduplication: { id, ttl: Math.floor(everyMs * COUNTED_ONCE) } };
}
