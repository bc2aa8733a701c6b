import cluster, { type Worker } from "node:cluster";
import { type Clock, MINUTE_MS, SECOND_MS } from "../../kit/clock.js";
import { GrantBook } from "../../limits/grant-book.js";
import { ConfigError } from "../config.js";
import type { Logger } from "../log.js";
import { mergedMetrics, type ProcessMetrics } from "./merge-metrics.js";
import type { FromWorker, ToWorker } from "./messages.js";

export interface PrimaryOptions {
  /** Number of processes that answer calls. */
  readonly workers: number;
  /** True to start a separate process for ingestion. */
  readonly ingests: boolean;
  /** Command-line arguments of each process, without its role. */
  readonly words: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  /** Starts a process with these command-line arguments. By default, it is forked by `node:cluster`. */
  readonly fork?: (words: readonly string[]) => Worker;
}

/**
 * The primary of several processes on one machine. It keeps their shared state, and neither answers calls nor opens the
 * store.
 */
export interface Primary {
  /**
   * Starts all processes. Resolves when they are ready, or if `stop` is called first; rejects if one ends before that.
   */
  start(): Promise<void>;
  /** Restarts the processes one by one from the program now on disk, without refusing a connection. */
  replaceAll(): Promise<void>;
  /** Stops all processes after they have drained for this time, and resolves when they have ended. */
  stop(drainMs: number): Promise<void>;
}

/**
 * Delay before a lost process is replaced. The delay doubles, up to `RESTART_AFTER_MS_MAX`, with each further process
 * of the same slot that lived less than a minute.
 */
const RESTART_AFTER_MS = SECOND_MS / 2;
const RESTART_AFTER_MS_MAX = 30 * SECOND_MS;
const LIVED_MS = MINUTE_MS;
/** Maximum time that a stopping process has, after draining, to finish its calls and release its leases. */
const STOP_MS_MAX = 45 * SECOND_MS;
/** Maximum wait for the metrics of a process. */
const METRICS_MS_MAX = 5 * SECOND_MS;
const MEGABYTE = 1_048_576;

/** The slot that a process fills: a numbered worker, or the ingest process. */
interface Slot {
  readonly name: string;
  readonly role: "api" | "ingest";
  current: Child | undefined;
  /** The successor of `current`, until it is ready. */
  next: Child | undefined;
  starts: number;
  failuresInRow: number;
}

interface Child {
  readonly worker: Worker;
  readonly startedAt: number;
  /** Resolves to true when the process is ready, and to false if it ends before that. */
  readonly ready: Promise<boolean>;
  readonly ended: Promise<void>;
  address: string | undefined;
  /** True once the primary has asked the process to stop, so that its end is not a loss. */
  isRetired: boolean;
  exitCode: number | null;
}

export function primary({ workers, ingests, words, clock, log, fork = forkWorker }: PrimaryOptions): Primary {
  const slots: readonly Slot[] = [
    ...(ingests ? [slot("ingest", "ingest")] : []),
    ...Array.from({ length: workers }, (_, index) => slot(String(index + 1), "api")),
  ];
  /** Every process that has not ended, in a slot or not. */
  const live = new Set<Child>();
  const collections = new Map<number, (text: string) => void>();
  const stopping = new AbortController();
  let lastId = 0;
  let replacing: Promise<void> = Promise.resolve();

  const book: GrantBook = new GrantBook({
    clock,
    processes: () => workers,
    recall: (processId, grantId) => tell(cluster.workers?.[processId], { kind: "recall", grantId }),
  });

  function begin(place: Slot): Child {
    const worker = fork([...words, "--role", place.role]);
    place.starts += 1;
    let settleReady: (isReady: boolean) => void = () => undefined;
    const ready = new Promise<boolean>((resolve) => {
      settleReady = resolve;
    });
    const ended = new Promise<void>((resolve) => {
      worker.once("exit", (code: number | null) => {
        child.exitCode = code;
        live.delete(child);
        settleReady(false);
        book.ended(worker.id);
        resolve();
      });
    });
    const child: Child = {
      worker,
      startedAt: clock.now(),
      ready,
      ended,
      address: undefined,
      isRetired: false,
      exitCode: null,
    };
    live.add(child);
    worker.on("message", (message: FromWorker) => {
      if (message.kind === "serving") child.address = message.address;
      if (message.kind === (place.role === "api" ? "serving" : "opened")) settleReady(true);
      else hear(worker, message);
    });
    // A warning is enough: if the channel breaks, the worker ends and is replaced.
    worker.on("error", (error) => log.warn({ worker: place.name, err: error }, "a worker cannot be reached"));
    return child;
  }

  /** Fills a slot with a new process and replaces the process when it is lost. */
  function fill(place: Slot): Child {
    const child = begin(place);
    place.current = child;
    void child.ended.then(() => replaceLost(place, child));
    return child;
  }

  async function replaceLost(place: Slot, lost: Child): Promise<void> {
    if (lost.isRetired || stopping.signal.aborted || place.current !== lost) return;
    place.failuresInRow = clock.now() - lost.startedAt >= LIVED_MS ? 1 : place.failuresInRow + 1;
    const waitMs = Math.min(RESTART_AFTER_MS * 2 ** (place.failuresInRow - 1), RESTART_AFTER_MS_MAX);
    log.warn({ worker: place.name, exitCode: lost.exitCode, waitMs }, "a worker ended and is replaced");
    await clock.sleep(waitMs, stopping.signal).catch(() => undefined);
    // While `replace` starts a successor, the lost process stays `current`. A second process would be in no slot later.
    while (place.next !== undefined && !lost.isRetired) await place.next.ready;
    if (!stopping.signal.aborted && !lost.isRetired && place.current === lost) fill(place);
  }

  function hear(worker: Worker, message: FromWorker): void {
    if (message.kind === "take") {
      const { id, charges, now } = message;
      void book.take(worker.id, charges, now).then((taken) => tell(worker, { kind: "taken", id, taken }));
    } else if (message.kind === "look") {
      tell(worker, { kind: "looked", id: message.id, standings: book.look(message.charges, message.now) });
    } else if (message.kind === "give-back") book.giveBack(message.takenId, message.indexes);
    else if (message.kind === "grant-ended") book.end(message.grantId, message.use);
    else if (message.kind === "announce") {
      for (const other of liveWorkers()) if (other !== worker) tell(other, message);
    } else if (message.kind === "own-metrics") {
      collections.get(message.id)?.(message.text);
    } else if (message.kind === "metrics") {
      const { id } = message;
      void metrics().then((text) => tell(worker, { kind: "metrics", id, text }));
    }
  }

  function liveWorkers(): readonly Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  }

  async function metrics(): Promise<string> {
    const collected = await Promise.all(slots.map(collect));
    return mergedMetrics([...collected.flatMap((own) => own ?? []), { worker: "primary", text: ownMetrics() }]);
  }

  async function collect({ name, current }: Slot): Promise<ProcessMetrics | undefined> {
    if (current === undefined || current.exitCode !== null) return undefined;
    lastId += 1;
    const id = lastId;
    const over = new AbortController();
    const late = clock.sleep(METRICS_MS_MAX, over.signal).then(
      () => undefined,
      () => undefined,
    );
    try {
      const reported = new Promise<string>((resolve) => {
        collections.set(id, resolve);
      });
      tell(current.worker, { kind: "own-metrics", id });
      const text = await Promise.race([reported, current.ended, late]);
      return text === undefined ? undefined : { worker: name, text };
    } finally {
      over.abort();
      collections.delete(id);
    }
  }

  /** Metrics of this process, in the same form as those of the workers. */
  function ownMetrics(): string {
    const starts = slots.map(({ name, starts: count }) => `vigil_worker_starts_total{slot="${name}"} ${count}`);
    return [
      "# HELP process_resident_memory_bytes Resident memory size in bytes.",
      "# TYPE process_resident_memory_bytes gauge",
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      "# HELP vigil_worker_starts_total Starts of each worker since the service started",
      "# TYPE vigil_worker_starts_total counter",
      ...starts,
      "",
    ].join("\n");
  }

  async function retire(child: Child, drainMs = 0): Promise<void> {
    child.isRetired = true;
    tell(child.worker, { kind: "stop", drainMs });
    const forced = setTimeout(() => child.worker.process.kill("SIGKILL"), drainMs + STOP_MS_MAX);
    await child.ended;
    clearTimeout(forced);
  }

  /**
   * Replaces one process. A worker serves until its successor is ready. The ingest process ends before its successor
   * starts, because it holds leases: locks in the store, without which the successor could not build datasets.
   */
  async function replace(place: Slot): Promise<void> {
    const old = place.current;
    if (place.role === "ingest" && old && !stopping.signal.aborted) await retire(old);
    if (stopping.signal.aborted) return;
    const next = begin(place);
    place.next = next;
    const isReady = await next.ready;
    place.next = undefined;
    if (stopping.signal.aborted) return;
    if (!isReady && place.role === "api") {
      throw new Error(
        `the new worker ${place.name} ended with ${next.exitCode} before it was ready; the old one keeps running`,
      );
    }
    place.current = next;
    void next.ended.then(() => replaceLost(place, next));
    // Only an ingest process gets here without being ready. It has ended, and `replaceLost` starts another one.
    if (!isReady) return;
    place.failuresInRow = 0;
    if (place.role === "api" && old) await retire(old);
    const { pid } = next.worker.process;
    log.info({ worker: place.name, pid }, "a worker was replaced");
  }

  return {
    async start() {
      // The first process starts before the others: it migrates the store and creates the owner's key, and the others
      // use the result.
      for (const group of [slots.slice(0, 1), slots.slice(1)]) {
        const children = group.map(fill);
        const ready = await Promise.all(children.map((child) => child.ready));
        if (stopping.signal.aborted) return;
        if (ready.includes(false)) throw new ConfigError("a worker could not start; its own message is above");
      }
      const [greeter] = slots;
      const address = slots.flatMap(({ current }) => current?.address ?? [])[0];
      if (greeter?.current && address !== undefined) tell(greeter.current.worker, { kind: "greet", address });
      const pids = Object.fromEntries(slots.map(({ name, current }) => [name, current?.worker.process.pid]));
      log.info({ pids, memoryMb: Math.round(process.memoryUsage.rss() / MEGABYTE) }, "all workers are ready");
    },
    replaceAll() {
      const after = replacing.catch(() => undefined);
      replacing = after.then(async () => {
        for (const place of slots) await replace(place);
      });
      return replacing;
    },
    async stop(drainMs) {
      stopping.abort(new Error("stopping"));
      await Promise.all(Array.from(live, (child) => retire(child, drainMs)));
    },
  };
}

function slot(name: string, role: Slot["role"]): Slot {
  return { name, role, current: undefined, next: undefined, starts: 0, failuresInRow: 0 };
}

function forkWorker(words: readonly string[]): Worker {
  cluster.setupPrimary({ exec: process.argv[1] ?? "", args: [...words] });
  return cluster.fork();
}

/** Sends a message to a worker that is still connected. */
function tell(worker: Worker | undefined, message: ToWorker): void {
  if (worker?.isConnected()) worker.send(message);
}
