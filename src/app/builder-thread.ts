import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";
import type { AnyDataset } from "../contract/product.js";
import { newHolder } from "../database/leases.js";
import type { RunResult } from "../ingest/run.js";
import { type Clock, MINUTE_MS, SECOND_MS, systemClock } from "../kit/clock.js";
import type { FeedOptions, ReadingWork } from "./builder.js";
import type { BuilderMessage, BuilderOrder, BuilderThreadData } from "./builder-worker.js";

export interface BuilderThreadParts {
  readonly options: Omit<FeedOptions, "clock"> & { readonly dataDir: string };
  readonly clock: Clock;
  /** When this signal aborts, the thread finishes its current work and stops. */
  readonly signal: AbortSignal;
  /** Called after every run, so that its snapshot is served immediately. */
  readonly onPublish: () => void;
  readonly onRun: (dataset: AnyDataset, result: RunResult) => void;
  /** `dataset` is undefined for a fault of the whole thread. */
  readonly onFault: (dataset: AnyDataset | undefined, error: unknown) => void;
  /**
   * Called after the thread has ended unexpectedly and before the next thread starts. Records a failed run for
   * `dataset`. This is the dataset of the answer that the thread was reading or, if it was reading none, of the last
   * answer that it had read. Not called if the thread had read no answer at all.
   */
  readonly onLost: (dataset: AnyDataset, error: string) => Promise<void>;
  /** Releases the leases of a thread that did not stop in time. */
  readonly onAbandoned: (holder: string) => Promise<void>;
  /** The first part of the Redis keys of all queues; undefined without Redis. */
  readonly queuePrefix: string | undefined;
  /** The code and limits of the thread, for tests. */
  readonly thread?: ThreadForm | undefined;
}

export interface ThreadForm {
  readonly code: URL;
  readonly beatMs: number;
  readonly heldMsMax: number;
  readonly heapMegabytesMax: number;
}

const MEGABYTE = 1_048_576;

/**
 * The default limits of the thread. No known document takes more than a few seconds to read, so a thread that is
 * blocked for a minute counts as hung. The memory limit is Node's own default, but never more than 640 MB, about three
 * times what the largest documents of the acceptance tests need. With a limit of 2 GB or more, V8 lets the heap grow to
 * four times its live size before it collects garbage; with this limit, to 1.4 times.
 */
const ownThread: ThreadForm = {
  code: new URL("./builder-worker.js", import.meta.url),
  beatMs: SECOND_MS,
  heldMsMax: MINUTE_MS,
  heapMegabytesMax: Math.min(640, Math.floor(getHeapStatistics().heap_size_limit / MEGABYTE)),
};

/** Limit for the young generation of V8's heap. Its default is up to 48 MB, which the thread never gives back. */
const YOUNG_MEGABYTES_MAX = 8;

const RESTART_AFTER_MS = 10 * SECOND_MS;
/** Time after which a stopping thread is terminated if its runs have not ended. Half-written files do no harm. */
const STOP_MS_MAX = 10 * SECOND_MS;

export interface BuilderThread {
  /** Resolves when `signal` has aborted and the last thread has ended. */
  readonly stopped: Promise<void>;
  /** Reports the demand for a dataset to the thread. A thread that starts later reads the demand from the store. */
  tell(dataset: string, requestedAt: number): void;
  /** Schedules a rebuild of a dataset whose stored content cannot be read. */
  rebuild(dataset: string): void;
}

/** Runs a thread that builds every dataset, and replaces it if it ends or hangs. */
export function keepBuilderThread(parts: BuilderThreadParts): BuilderThread {
  const current: { worker?: Worker } = {};
  const holder = newHolder();
  const keep = async (): Promise<void> => {
    for (let isReplacement = false; !parts.signal.aborted; isReplacement = true) {
      const lost = await oneThread(parts, current, { holder, isReplacement });
      if (lost) await report(parts, lost);
      await parts.clock.sleep(RESTART_AFTER_MS, parts.signal).catch(() => undefined);
    }
  };
  return {
    stopped: keep(),
    tell: (dataset, requestedAt) =>
      current.worker?.postMessage({ kind: "requested", dataset, requestedAt } satisfies BuilderOrder),
    rebuild: (dataset) => current.worker?.postMessage({ kind: "rebuild", dataset } satisfies BuilderOrder),
  };
}

/** The unexpected end of a thread. */
interface Loss {
  readonly error: Error;
  /** The answer that the thread was reading or had last read. */
  readonly work: ReadingWork | undefined;
}

async function report({ options, onFault, onLost }: BuilderThreadParts, { error, work }: Loss): Promise<void> {
  const dataset = work && options.services.allDatasets.find(({ name }) => name === work.dataset);
  onFault(dataset, error);
  if (!dataset) return;
  try {
    await onLost(dataset, error.message);
  } catch (fault) {
    onFault(dataset, fault);
  }
}

/** Runs one thread. Resolves when it has ended: with undefined if it was stopped, else with the cause of its end. */
async function oneThread(
  parts: BuilderThreadParts,
  current: { worker?: Worker },
  life: Pick<BuilderThreadData, "holder" | "isReplacement">,
): Promise<Loss | undefined> {
  const { options, clock, signal, queuePrefix, onPublish, onRun, onFault, thread = ownThread } = parts;
  const { config, dataDir, kind, upstreamBase, gated, services } = options;
  const clockAheadMs = clock.now() - systemClock.now();
  const { beatMs } = thread;
  const workerData: BuilderThreadData = {
    config,
    dataDir,
    kind,
    upstreamBase,
    gated,
    clockAheadMs,
    queuePrefix,
    beatMs,
    ...life,
  };
  const worker = new Worker(thread.code, {
    name: "builder",
    workerData,
    resourceLimits: {
      maxOldGenerationSizeMb: thread.heapMegabytesMax,
      maxYoungGenerationSizeMb: YOUNG_MEGABYTES_MAX,
    },
  });
  current.worker = worker;
  const byName = new Map(services.allDatasets.map((dataset) => [dataset.name, dataset]));
  const watchdog = watch(worker, thread);
  worker.on("message", (message: BuilderMessage) => {
    watchdog.hear(message);
    if (message.kind === "beat" || message.kind === "reading") return;
    const dataset = message.dataset === undefined ? undefined : byName.get(message.dataset);
    if (message.kind === "fault") onFault(dataset, message.error);
    else if (dataset) {
      onRun(dataset, message.result);
      onPublish();
    }
  });
  let forced: NodeJS.Timeout | undefined;
  let isForced = false;
  const stop = (): void => {
    worker.postMessage({ kind: "stop" } satisfies BuilderOrder);
    forced = setTimeout(() => {
      isForced = true;
      void worker.terminate();
    }, STOP_MS_MAX);
  };
  try {
    const failure = await new Promise<Error | undefined>((resolve) => {
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
      let error: Error | undefined;
      worker.once("error", (cause) => {
        error = cause instanceof Error ? cause : new Error(String(cause));
      });
      worker.once("exit", (code) => resolve(error ?? (signal.aborted ? undefined : new Error(`code ${code}`))));
    });
    if (isForced) await parts.onAbandoned(life.holder).catch((error: unknown) => onFault(undefined, error));
    return failure && watchdog.lossBy(failure);
  } finally {
    watchdog.stop();
    clearTimeout(forced);
    signal.removeEventListener("abort", stop);
  }
}

interface Watchdog {
  hear(message: BuilderMessage): void;
  /** Describes how the thread ended. */
  lossBy(failure: Error): Loss;
  stop(): void;
}

/** Ends a thread whose heartbeat is overdue, and records the answer it was reading. */
function watch(worker: Worker, { beatMs, heldMsMax }: ThreadForm): Watchdog {
  let reading: ReadingWork | undefined;
  let lastRead: ReadingWork | undefined;
  let silentMs = 0;
  const timer = setInterval(() => {
    silentMs += beatMs;
    if (silentMs >= heldMsMax) void worker.terminate();
  }, beatMs);
  return {
    hear(message) {
      silentMs = 0;
      if (message.kind !== "reading") return;
      reading = message.work;
      lastRead = reading ?? lastRead;
    },
    lossBy(failure) {
      const problem =
        silentMs >= heldMsMax ? `was blocked for ${heldMsMax / SECOND_MS} s` : `ended (${failure.message})`;
      const work = reading ?? lastRead;
      const doing = work && ` ${reading ? "while" : "after"} reading ${work.request} of ${work.source}`;
      const message = `the thread that builds datasets ${problem}${doing ?? ""}; another takes its place`;
      return { error: new Error(message, { cause: failure }), work };
    },
    stop: () => clearInterval(timer),
  };
}
