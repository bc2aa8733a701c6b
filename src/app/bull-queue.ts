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
  /** The first part of all keys of the queue. Only nodes of the same store and version share it. */
  readonly prefix: string;
  readonly name: string;
  /** Called at most once a minute for errors other than the loss of Redis, which `shared.watch` logs. */
  readonly onFault: (error: unknown) => void;
  /** A clock in ms that is never adjusted; for tests. */
  readonly monotonic?: () => number;
  /** Shorter waits; for tests. */
  readonly waits?: Waits;
}

interface Waits {
  /** Time until the queue is opened again after an error, in ms. */
  readonly openRetryMs: number;
  /** Time limit, in seconds, of the command with which an idle worker waits for a job. The worker then repeats it. */
  readonly idleSeconds: number;
}

/** A queue that its owner closes. */
export interface ClosableQueue extends WorkQueue {
  /** Immediately stops taking work. Resolves when the work that this node has started has ended. */
  close(): Promise<void>;
}

interface Opened {
  readonly queue: Queue;
  readonly worker: Worker;
  /** The connection with which the worker takes jobs. */
  readonly redis: Redis;
  /** The connection on which BullMQ waits for jobs; undefined until it is ready. */
  readonly waiting: { readonly status: string } | undefined;
  /** Resolves after the first error that does not come from the loss of Redis. */
  readonly failed: Promise<unknown>;
}

const USUAL_WAITS: Waits = { openRetryMs: 5 * SECOND_MS, idleSeconds: 5 };
/** Time until a worker repeats a command that Redis did not answer. */
const WORKER_RETRY_MS = SECOND_MS;
/** Maximum time that a stopping node waits for Redis, in ms. */
const CLOSE_MS_MAX = SECOND_MS;
/** The interval at which BullMQ looks for jobs of lost workers. */
const STALLED_LOOKED_AT_MS = 10 * SECOND_MS;
/**
 * For repeated work, the share of the interval in which only one request counts. The remaining tenth allows for timers
 * that fire a little early.
 */
const COUNTED_ONCE = 0.9;
/** Time after which a job that is still waiting counts as lost. */
const LOST_AFTER_MS = 30 * SECOND_MS;
/** If more jobs than this wait, for example because an operator has paused the queue, all of them are removed. */
const WAITING_MAX = 1_000;
/** Number of new jobs after which the waiting jobs are counted again. */
const CHECKED_EVERY_JOBS = 100;
/** Maximum number of events in BullMQ's own log, which nothing reads. */
const EVENTS_MAX = 100;
const DIGEST_CHARACTERS = 16;
/** Codes of the errors that BullMQ emits while it connects again. */
const CONNECTION_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/**
 * Divides work among nodes through BullMQ, a job queue on Redis. The nodes that can do the same work share a queue.
 * While Redis is lost, `request` resolves to false. A job of BullMQ is only the request: it is complete before its work
 * starts, so a request that arrives during the work counts as a new one, and a long run delays no other work.
 *
 * Times come from the machine's clock, not from the service's clock, because BullMQ and Redis use the machine's clock.
 */
export function bullQueue(parts: BullQueueParts): ClosableQueue {
  const { shared, prefix, name, onFault, monotonic = monotonicMs, waits = USUAL_WAITS } = parts;
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  /** For each deduplication id, the job that an earlier request made or joined, and the time of that request. */
  const waiting = new Map<string, { readonly job: string; readonly seenAt: number }>();
  let kept: Promise<void> | undefined;
  let opened: Opened | undefined;
  let isClosed = false;
  let reportedAt = Number.NEGATIVE_INFINITY;

  /** Opens the queue, and opens it again after an error, until `close`. */
  async function keepOpen(work: ReadonlyMap<string, Work>): Promise<void> {
    const names = [...work.keys()].sort().join("\n");
    const digest = createHash("sha256").update(names).digest("base64url").slice(0, DIGEST_CHARACTERS);
    while (!stopping.signal.aborted) {
      opened = await open(`${prefix}${digest}`, work).catch(report);
      if (opened) {
        const current = opened;
        await untilStopped(current.failed);
        opened = undefined;
        await close(current);
      }
      await systemClock.sleep(waits.openRetryMs, stopping.signal).catch(() => undefined);
    }
  }

  /** Opens the queue. Rejects if Redis is lost before the queue is ready: BullMQ would not recover from that. */
  async function open(keyPrefix: string, work: ReadonlyMap<string, Work>): Promise<Opened | undefined> {
    // Loaded here, so that the start does not wait for it.
    const bullmq = await import("bullmq");
    const redis = waitingConnection(shared.redis);
    const queue = new bullmq.Queue(name, {
      connection: shared.redis,
      prefix: keyPrefix,
      streams: { events: { maxLen: EVENTS_MAX } },
    });
    const worker = new bullmq.Worker(name, async () => undefined, {
      connection: redis,
      prefix: keyPrefix,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      drainDelay: waits.idleSeconds,
      runRetryDelay: WORKER_RETRY_MS,
      stalledInterval: STALLED_LOOKED_AT_MS,
    });
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
    const unready = { queue, worker, redis, waiting: undefined, failed };
    const ready = async (): Promise<Opened> => {
      await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
      return { ...unready, waiting: await worker.getBackend().blockingClient };
    };
    try {
      const current = await untilStopped(Promise.race([ready(), failed.then(() => undefined)]));
      if (!current) await close(unready);
      return current;
    } catch (error) {
      await close(unready);
      throw error;
    }
  }

  /** Waits for a result, but not beyond `close`. */
  async function untilStopped<T>(result: Promise<T>): Promise<T | undefined> {
    if (stopping.signal.aborted) return undefined;
    const over = new AbortController();
    const stopped = once(stopping.signal, "abort", { signal: over.signal }).catch(() => undefined);
    try {
      return await Promise.race([result, stopped.then(() => undefined)]);
    } finally {
      over.abort();
    }
  }

  function start(job: Job, work: ReadonlyMap<string, Work>): void {
    // BullMQ can emit the event of a job after the worker was closed.
    if (isClosed) return;
    const { basedOn } = Object(job.data);
    const run = work.get(job.name)?.(typeof basedOn === "number" ? basedOn : undefined);
    if (!run) return;
    underWay.add(run);
    void run.catch(report).finally(() => underWay.delete(run));
  }

  function report(error: unknown): undefined {
    const now = monotonic();
    if (now - reportedAt < MINUTE_MS || isLossOfRedis(shared.redis, error)) return;
    reportedAt = now;
    onFault(error);
  }

  /** Requests work. Returns false if no node takes the jobs of such requests. */
  async function add({ queue }: Opened, workName: string, request: WorkRequest): Promise<boolean> {
    const deduplication = deduplicationOf(workName, request);
    const { id: job = "" } = await queue.add(workName, { basedOn: request.basedOn }, { deduplication });
    if (Number(job) % CHECKED_EVERY_JOBS === 0 && (await queue.count()) > WAITING_MAX) await queue.drain();
    return !(await isLost(queue, deduplication.id, job));
  }

  /**
   * True if no node takes the jobs of these requests, for example because an operator has paused the queue, Redis
   * evicts keys, or the clock of Redis was set back.
   */
  async function isLost(queue: Queue, deduplicationId: string, job: string): Promise<boolean> {
    const earlier = waiting.get(deduplicationId);
    if (earlier && monotonic() - earlier.seenAt <= LOST_AFTER_MS) return false;
    if (earlier && (earlier.job === job || (await isWaiting(queue, earlier.job)))) return true;
    waiting.set(deduplicationId, { job, seenAt: monotonic() });
    return false;
  }

  return {
    begin(work) {
      if (work.size > 0) kept = keepOpen(work);
    },
    async request(workName, request) {
      const current = opened;
      if (!current || !isReady(current) || stopping.signal.aborted) return false;
      return shared.watch.used(() => add(current, workName, request)).catch(() => false);
    },
    async close() {
      stopping.abort(new Error("stopping"));
      await kept;
      isClosed = true;
      await Promise.all(underWay);
    },
  };
}

/** Closes a queue. Waits for Redis only for a short time, because a lost Redis would never confirm the end. */
async function close({ queue, worker, redis }: Opened): Promise<void> {
  // Without force, a worker whose Redis is lost would keep the process alive. With force, a job that the worker has
  // just taken gets to another node half a minute later.
  const closed = Promise.all([worker.close(true), queue.close()]).catch(() => undefined);
  const over = new AbortController();
  await Promise.race([closed, systemClock.sleep(CLOSE_MS_MAX, over.signal).catch(() => undefined)]);
  over.abort();
  redis.disconnect();
}

function isReady({ redis, waiting }: Opened): boolean {
  return redis.status === "ready" && waiting?.status === "ready";
}

async function isWaiting(queue: Queue, job: string): Promise<boolean> {
  const state = await queue.getJobState(job);
  // A finished job is removed, so its state is unknown.
  return state !== "unknown" && state !== "active";
}

/**
 * Returns BullMQ's deduplication options for a request. Requests with the same id count as one: for most of their
 * interval, or, without an interval, while they wait.
 */
function deduplicationOf(name: string, { everyMs }: WorkRequest) {
  if (everyMs === undefined) return { id: name };
  return { id: `due ${name}`, ttl: Math.floor(everyMs * COUNTED_ONCE) };
}

function isLossOfRedis({ status }: Redis, error: unknown): boolean {
  if (status !== "ready") return true;
  const { code, message } = Object(error);
  return CONNECTION_CODES.has(code) || message === "Connection is closed.";
}
