import { Worker } from "node:worker_threads";
import type { FeedOptions } from "./builder.js";
import type { BuilderMessage, BuilderOrder, BuilderThreadData } from "./builder-worker.js";
import type { AnyDataset } from "./contract/dataset.js";
import type { RunResult } from "./ingest/run-dataset.js";
import { type Clock, SECOND_MS, systemClock } from "./kit/clock.js";

export interface BuilderThreadParts {
  readonly options: Omit<FeedOptions, "clock"> & { readonly dataDir: string };
  readonly clock: Clock;
  /** Aborted to stop: the thread then ends what it has under way. */
  readonly signal: AbortSignal;
  /** Told after every run, so that what it published is served at once. */
  readonly onPublish: () => void;
  readonly onRun: (dataset: AnyDataset, result: RunResult) => void;
  /** `dataset` is undefined for what concerns the thread as a whole. */
  readonly onFault: (dataset: AnyDataset | undefined, error: unknown) => void;
}

const RESTART_AFTER_MS = 10 * SECOND_MS;
/** How long a stopping thread may take to end its runs; their leases and half-written files do no harm. */
const STOP_MS_MAX = 10 * SECOND_MS;

export interface BuilderThread {
  /** Resolves when `signal` has ended the last thread. */
  readonly stopped: Promise<void>;
  /** Tells the thread that a dataset was asked for. One that starts later finds that in the store. */
  tell(dataset: string, askedAt: number): void;
  /** Has a dataset built soon whose stored content cannot be read. */
  rebuild(dataset: string): void;
}

/** Keeps a thread that builds every dataset, and a new one when it ends. */
export function keepBuilderThread(parts: BuilderThreadParts): BuilderThread {
  const current: { worker?: Worker } = {};
  const keep = async (): Promise<void> => {
    while (!parts.signal.aborted) {
      await oneThread(parts, current).catch((error: unknown) => parts.onFault(undefined, error));
      await parts.clock.sleep(RESTART_AFTER_MS, parts.signal).catch(() => undefined);
    }
  };
  return {
    stopped: keep(),
    tell: (dataset, askedAt) => current.worker?.postMessage({ kind: "asked", dataset, askedAt } satisfies BuilderOrder),
    rebuild: (dataset) => current.worker?.postMessage({ kind: "rebuild", dataset } satisfies BuilderOrder),
  };
}

/** Resolves when the thread has stopped as asked; rejects with what ended it otherwise. */
function oneThread(
  { options, clock, signal, onPublish, onRun, onFault }: BuilderThreadParts,
  current: { worker?: Worker },
): Promise<void> {
  const { config, dataDir, kind, upstreamBase, gated, services } = options;
  const clockAheadMs = clock.now() - systemClock.now();
  const workerData: BuilderThreadData = { config, dataDir, kind, upstreamBase, gated, clockAheadMs };
  const worker = new Worker(new URL("./builder-worker.js", import.meta.url), { name: "builder", workerData });
  current.worker = worker;
  const byName = new Map(services.allDatasets.map((dataset) => [dataset.name, dataset]));
  worker.on("message", (message: BuilderMessage) => {
    const dataset = message.dataset === undefined ? undefined : byName.get(message.dataset);
    if (message.kind === "fault") onFault(dataset, message.error);
    else if (dataset) {
      onRun(dataset, message.result);
      onPublish();
    }
  });
  let forced: NodeJS.Timeout | undefined;
  const stop = (): void => {
    worker.postMessage({ kind: "stop" } satisfies BuilderOrder);
    forced = setTimeout(() => void worker.terminate(), STOP_MS_MAX);
  };
  return new Promise<void>((resolve, reject) => {
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    worker.once("error", reject);
    worker.once("exit", (code) => {
      if (signal.aborted) resolve();
      else reject(new Error(`the thread that builds datasets ended with code ${code}`));
    });
  }).finally(() => {
    clearTimeout(forced);
    signal.removeEventListener("abort", stop);
  });
}
