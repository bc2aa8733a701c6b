import { parentPort, workerData } from "node:worker_threads";
import { bodyStore } from "../database/bodies.js";
import { datasetRequestStore } from "../database/dataset-requests.js";
import { openDatabase } from "../database/open.js";
import type { RunResult } from "../ingest/run.js";
import { clockAhead } from "../kit/clock.js";
import { repeatedly } from "../kit/repeatedly.js";
import { giveWay } from "../kit/thread-priority.js";
import { loadServices } from "../services/registry.js";
import { REQUEST_SEEN_AFTER_MS, requestBoard } from "../snapshots/builds/request-board.js";
import { runBoard } from "../snapshots/builds/run-board.js";
import { snapshotStore } from "../snapshots/store.js";
import { createBuilder, type FeedOptions, type ReadingWork } from "./builder.js";
import type { ClosableQueue } from "./bull-queue.js";
import { storeLocation } from "./store-location.js";

/** Start data of the thread. Every field can be copied between threads. */
export interface BuilderThreadData extends Omit<FeedOptions, "clock" | "services"> {
  readonly dataDir: string;
  /** Time by which the service's clock is ahead of the machine's. */
  readonly clockAheadMs: number;
  /**
   * Name of the lease holder. All threads of a process share it, so that a new thread takes over the leases of a lost
   * one.
   */
  readonly holder: string;
  /** The first part of the Redis keys of all queues; undefined without Redis. */
  readonly queuePrefix: string | undefined;
  /** True if the previous thread was lost. */
  readonly isReplacement: boolean;
  /** Interval of the thread's heartbeat. */
  readonly beatMs: number;
}

/** A message from the thread to the service. */
export type BuilderMessage =
  | { readonly kind: "beat" }
  | { readonly kind: "reading"; readonly work: ReadingWork | undefined }
  | { readonly kind: "run"; readonly dataset: string; readonly result: RunResult }
  | { readonly kind: "fault"; readonly dataset: string | undefined; readonly error: unknown };

/** A message from the service to the thread. */
export type BuilderOrder =
  | { readonly kind: "stop" }
  | { readonly kind: "requested"; readonly dataset: string; readonly requestedAt: number }
  | { readonly kind: "rebuild"; readonly dataset: string };

/**
 * Niceness of the thread. On a processor that the serving thread keeps busy, this thread gets a quarter of the time.
 */
const NICENESS = 5;

if (!parentPort) throw new Error("builder-worker runs only as a thread of the service");
const port = parentPort;
const tell = (message: BuilderMessage): void => port.postMessage(message);

giveWay(NICENESS);
// The cast is safe, because `keepBuilderThread` passes these values.
const { dataDir, clockAheadMs, holder, isReplacement, queuePrefix, beatMs, ...options } =
  workerData as BuilderThreadData;
setInterval(() => tell({ kind: "beat" }), beatMs).unref();
const clock = clockAhead(clockAheadMs);
const services = await loadServices();
const database = await openDatabase({
  ...storeLocation(options.config, dataDir),
  onConnectionError: (error) => tell({ kind: "fault", dataset: undefined, error }),
});
const store = snapshotStore(database, bodyStore(database, dataDir, clock));
const runs = runBoard(store);
const onFault = (error: unknown): void => tell({ kind: "fault", dataset: undefined, error });
const requests = requestBoard(datasetRequestStore(database), services.allDatasets, clock, onFault);
await Promise.all([runs.refresh(), requests.refresh()]);
const queue = await openQueue();
const builder = createBuilder(
  { ...options, clock, services },
  {
    database,
    store,
    runs,
    requests,
    holder,
    isReplacement,
    ...(queue && { queue }),
    onReading: (work) => tell({ kind: "reading", work }),
    onRun: (dataset, result) => tell({ kind: "run", dataset: dataset.name, result }),
    onFault: (dataset, error) => tell({ kind: "fault", dataset: dataset?.name, error }),
  },
);
const stopping = new AbortController();
const polling = repeatedly(requests.refresh, REQUEST_SEEN_AFTER_MS, clock, stopping.signal, onFault);
function rebuild(name: string): void {
  const dataset = services.allDatasets.find((candidate) => candidate.name === name);
  if (dataset) builder.ingest.rebuild(dataset);
}
async function openQueue(): Promise<ClosableQueue | undefined> {
  const { redisUrl } = options.config;
  if (redisUrl === undefined || queuePrefix === undefined) return undefined;
  // Without Redis, its client is not loaded.
  const { openBuildQueue } = await import("./build-queue.js");
  return openBuildQueue(redisUrl, queuePrefix, clock, onFault);
}
async function stop(): Promise<void> {
  stopping.abort(new Error("stopping"));
  await Promise.all([queue?.close(), builder.close(), polling]);
  await database.close();
  port.close();
}
port.on("message", (order: BuilderOrder) => {
  if (order.kind === "requested") requests.learn(order.dataset, order.requestedAt);
  else if (order.kind === "rebuild") rebuild(order.dataset);
  else void stop();
});
builder.ingest.start();
