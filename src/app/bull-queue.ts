import { createHash } from "node:crypto";
import { once } from "node:events";
import type { Job, Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Work, WorkQueue, WorkRequest } from "../ingest/work-queue.js";
import { MINUTE_MS, monotonicMs, SECOND_MS, systemClock } from "../kit/clock.js";
import { type OpenRedis, waitingConnection } from "./open-redis.js";

export interface BullQueueParts {
  /** The connection for requests. */
  readonly shared: Pick<OpenRedis, "redis" | "watch">;
  /** The first part of all keys of the queue. Only nodes of the same store and version have it. */
  readonly prefix: string;
  readonly name: string;
  /** Called at most once a minute for errors other than the loss of Redis, which the watch reports. */
  readonly onFault: (error: unknown) => void;
  /** A clock that is never set, in ms; for tests. */
  readonly monotonic?: () => number;
}

/** A queue that its owner closes. */
export interface ClosableQueue extends WorkQueue {
  /** Takes no more work at once. Resolves when the work that this node has started has ended. */
  close(): Promise<void>;
}

interface Opened {
  readonly queue: Queue;
  readonly worker: Worker;
  /** The connection with which the worker takes jobs. BullMQ opens a further one, on which the worker waits for jobs. */
  readonly redis: Redis;
  /** Resolves after the first error that does not come from the loss of Redis. */
  readonly failed: Promise<unknown>;
}

/** Time until the queue is opened again after an error. */
const OPEN_RETRY_MS = 5 * SECOND_MS;
/** Time until a worker tries again what Redis did not answer. */
const WORKER_RETRY_MS = SECOND_MS;
/** Maximum time that a stopping node waits for Redis, in ms. */
const CLOSE_MS_MAX = SECOND_MS;
/**
 * The interval at which BullMQ looks for jobs of lost workers. If Redis is lost at the moment of a stop, the timer of
 * this interval keeps the process alive for so long.
 */
const STALLED_LOOKED_AT_MS = 10 * SECOND_MS;
/** Part of the interval of repeated work in which only one request counts. The rest is a tolerance for timers. */
const COUNTED_ONCE = 0.9;
/** Minimum time after which a job that is still waiting counts as lost. */
const LOST_AFTER_MS = 30 * SECOND_MS;
/** If more jobs than this wait, for example because an operator has paused the queue, all of them are removed. */
const WAITING_MAX = 1_000;
/** The number of waiting jobs is checked once in so many jobs. */
const CHECKED_EVERY_JOBS = 100;
/** Number of events in BullMQ's own log, which nothing reads. */
const EVENTS_MAX = 100;
const DIGEST_CHARACTERS = 16;
/** Codes of the errors that BullMQ emits while it connects again. */
const CONNECTION_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/**
 * Divides work through BullMQ on Redis. The nodes that can do the same work share a queue. While Redis is lost,
 * `request` resolves to false. A job of BullMQ is only the request: it is complete before its work starts, so a request
 * that arrives during the work counts as a new one, and a long run delays no other work.
 *
 * Times are those of the machine, not of the service's clock, because BullMQ and Redis use no other.
 */
export function bullQueue({ shared, prefix, name, onFault, monotonic = monotonicMs }: BullQueueParts): ClosableQueue {
  const stopping = new AbortController();
  const stopped = once(stopping.signal, "abort");
  const underWay = new Set<Promise<void>>();
  const isLost = lostJobs(monotonic);
  let kept: Promise<void> | undefined;
  let opened: Opened | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;

  /** Opens the queue, and opens it again after an error, until `close`. */
  async function keepOpen(work: ReadonlyMap<string, Work>): Promise<void> {
    const names = [...work.keys()].sort().join("\n");
    const digest = createHash("sha256").update(names).digest("base64url").slice(0, DIGEST_CHARACTERS);
    while (!stopping.signal.aborted) {
      opened = await open(`${prefix}${digest}`, work).catch(report);
      if (opened) {
        await Promise.race([opened.failed, stopped]);
        await close(opened);
        opened = undefined;
      }
      await systemClock.sleep(OPEN_RETRY_MS, stopping.signal).catch(() => undefined);
    }
  }

  /** Rejects if Redis is lost before the queue can be used. BullMQ would not recover from that. */
  async function open(keyPrefix: string, work: ReadonlyMap<string, Work>): Promise<Opened | undefined> {
    // Loaded here, so that the start does not wait for it.
    const bullmq = await import("bullmq");
    const redis = waitingConnection(shared.redis);
    const queue = new bullmq.Queue(name, {
      connection: shared.redis,
      prefix: keyPrefix,
      streams: { events: { maxLen: EVENTS_MAX } },
    });
    const worker = new bullmq.Worker(name, takeJob, {
      connection: redis,
      prefix: keyPrefix,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      runRetryDelay: WORKER_RETRY_MS,
      stalledInterval: STALLED_LOOKED_AT_MS,
    });
    async function takeJob(job: Job, token?: string): Promise<void> {
      if (!stopping.signal.aborted) return;
      // Another node gets the job.
      await job.moveToWait(token);
      throw new bullmq.WaitingError();
    }
    worker.on("completed", (job) => start(job, work));
    const failed = new Promise((resolve) => {
      const note = (error: Error): void => {
        if (isLossOfRedis(redis, error)) return;
        report(error);
        resolve(error);
      };
      queue.on("error", note);
      worker.on("error", note);
    });
    const current = { queue, worker, redis, failed };
    try {
      const isReady = Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]).then(() => true);
      if (await Promise.race([isReady, stopped.then(() => false)])) return current;
    } catch (error) {
      await close(current);
      throw error;
    }
    await close(current);
    return undefined;
  }

  function start(job: Job, work: ReadonlyMap<string, Work>): void {
    const { basedOn } = Object(job.data);
    const run = work.get(job.name)?.(typeof basedOn === "number" ? basedOn : undefined);
    if (!run) return;
    underWay.add(run);
    void run.finally(() => underWay.delete(run));
  }

  function report(error: unknown): undefined {
    const now = monotonic();
    if (now - reportedAt < MINUTE_MS || isLossOfRedis(shared.redis, error)) return;
    reportedAt = now;
    onFault(error);
  }

  /** Requests work. Returns false if the request was merged into a lost one. */
  async function add({ queue }: Opened, workName: string, request: WorkRequest): Promise<boolean> {
    const { basedOn, everyMs = 0 } = request;
    const deduplication = deduplicationOf(workName, request);
    const job = await queue.add(workName, { basedOn }, { deduplication });
    const number = Number(job.id);
    if (number % CHECKED_EVERY_JOBS === 0 && (await queue.count()) > WAITING_MAX) await queue.drain();
    return !isLost(deduplication.id, number, everyMs);
  }

  return {
    begin(work) {
      if (work.size > 0) kept = keepOpen(work);
    },
    async request(workName, request) {
      const current = opened;
      if (current?.redis.status !== "ready" || stopping.signal.aborted) return false;
      return shared.watch.used(() => add(current, workName, request)).catch(() => false);
    },
    async close() {
      stopping.abort(new Error("stopping"));
      await kept;
      await Promise.all(underWay);
    },
  };
}

/** Waits for Redis only for a short time, because a lost Redis would never confirm the end. */
async function close({ queue, worker, redis }: Opened): Promise<void> {
  // Without force, a worker whose Redis is lost would keep the process alive.
  const isForced = redis.status !== "ready";
  const closed = Promise.all([worker.close(isForced), queue.close()]).catch(() => undefined);
  const over = new AbortController();
  await Promise.race([closed, systemClock.sleep(CLOSE_MS_MAX, over.signal).catch(() => undefined)]);
  over.abort();
  redis.disconnect();
}

/**
 * Returns a function that is true for a request whose job has been lost: earlier requests were merged into the same job
 * for a long time. This happens if Redis evicts keys, or if its clock is set back.
 */
function lostJobs(monotonic: () => number): (deduplicationId: string, job: number, everyMs: number) => boolean {
  const latest = new Map<string, { readonly job: number; readonly seenAt: number }>();
  return (deduplicationId, job, everyMs) => {
    const last = latest.get(deduplicationId);
    if (last?.job === job) return monotonic() - last.seenAt > Math.max(LOST_AFTER_MS, 1.5 * everyMs);
    latest.set(deduplicationId, { job, seenAt: monotonic() });
    return false;
  };
}

/** Requests with the same id count as one: without an interval while they wait, otherwise for most of the interval. */
function deduplicationOf(name: string, { everyMs }: WorkRequest) {
  if (everyMs === undefined) return { id: name };
  return { id: `due ${name}`, ttl: Math.floor(everyMs * COUNTED_ONCE) };
}

function isLossOfRedis({ status }: Redis, error: unknown): boolean {
  if (status !== "ready") return true;
  const { code, message } = Object(error);
  return CONNECTION_CODES.has(code) || message === "Connection is closed.";
}
