import { setMaxListeners } from "node:events";
import type { AnyDataset } from "../contract/dataset.js";
import { SourceFailure } from "../contract/source.js";
import type { Leases } from "../database/leases.js";
import { type Clock, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import type { AskedBoard } from "../snapshots/asked-board.js";
import type { DatasetStatus } from "../snapshots/generation.js";
import type { SourceRunReport } from "../snapshots/provenance.js";
import type { RunResult } from "./run-dataset.js";

/** Longest that a run may take; its lease outlives it, so that nobody else starts the same build meanwhile. */
const RUN_MS_MAX = 10 * MINUTE_MS;
const LEASE_MS = RUN_MS_MAX + MINUTE_MS;
/** How soon to look again at a dataset that another process is building. */
const BUSY_RETRY_MS = 15 * SECOND_MS;

/** A rebuild that did not help is not repeated sooner. */
const REBUILD_EVERY_MS = 10 * MINUTE_MS;

const LISTENERS_PER_DATASET = 4;

/** Name of the lease that a dataset's builder holds. */
export function leaseOf(dataset: string): string {
  return `build ${dataset}`;
}

export interface Ingest {
  /** Runs a dataset now. Undefined when another process is building it. */
  runNow(dataset: AnyDataset, onReport?: (report: SourceRunReport) => void): Promise<RunResult | undefined>;
  /** Builds a dataset soon, although it is not due, because what is stored of it cannot be read. */
  rebuild(dataset: AnyDataset): void;
  /** Keeps every dataset built until `stop`, those that are built only while asked for from the moment that they are. */
  start(): void;
  readonly isStarted: boolean;
  /** Cancels what is under way and resolves when nothing is any more. */
  stop(): Promise<void>;
}

/** How the newest run of every dataset went, as far as is known since the last `refresh`. */
export interface KnownRuns {
  status(dataset: AnyDataset): DatasetStatus | undefined;
  refresh(): Promise<void>;
}

export interface IngestParts {
  readonly clock: Clock;
  readonly leases: Leases;
  readonly holder: string;
  readonly datasets: readonly AnyDataset[];
  readonly runs: KnownRuns;
  readonly asked: Pick<AskedBoard, "isAwake" | "awake">;
  /** True where an earlier builder of this process was lost: what failed then waits until it is due. Default: false. */
  readonly isReplacement?: boolean;
  readonly run: (
    dataset: AnyDataset,
    options: { readonly signal: AbortSignal; readonly onReport?: (report: SourceRunReport) => void },
  ) => Promise<RunResult>;
  /** Told of every finished run and of every fault that ended one. */
  readonly onRun: (dataset: AnyDataset, result: RunResult) => void;
  readonly onFault: (dataset: AnyDataset, error: unknown) => void;
}

export function createIngest(parts: IngestParts): Ingest {
  const { clock, leases, holder, datasets, runs, asked } = parts;
  const stopping = new AbortController();
  // Every loop and every run listens, and Node takes more than ten listeners for a leak.
  setMaxListeners(datasets.length * LISTENERS_PER_DATASET, stopping.signal);
  const loops: Promise<void>[] = [];
  const waits = new Map<string, AbortController>();
  const rebuiltAt = new Map<string, number>();

  async function runNow(
    dataset: AnyDataset,
    onReport?: (report: SourceRunReport) => void,
  ): Promise<RunResult | undefined> {
    const lease = leaseOf(dataset.name);
    if (!(await leases.acquire(lease, holder, LEASE_MS))) return undefined;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(tooLong()), RUN_MS_MAX).unref();
    try {
      const signal = AbortSignal.any([stopping.signal, limit.signal]);
      const result = await parts.run(dataset, { signal, ...(onReport && { onReport }) });
      await runs.refresh();
      parts.onRun(dataset, result);
      return result;
    } finally {
      clearTimeout(timer);
      await leases.release(lease, holder);
    }
  }

  async function runOrReport(dataset: AnyDataset): Promise<"done" | "again"> {
    try {
      return (await runNow(dataset)) ? "done" : "again";
    } catch (error) {
      if (!stopping.signal.aborted) parts.onFault(dataset, error);
      return "again";
    }
  }

  /** A dataset that failed in an earlier life is tried at once: its key or its network may be there now. */
  async function keepBuilt(dataset: AnyDataset): Promise<void> {
    const isWell = (runs.status(dataset)?.failuresInRow ?? 1) === 0;
    let waitMs = isWell || parts.isReplacement ? untilDue(dataset) : 0;
    while (!stopping.signal.aborted) {
      if (!asked.isAwake(dataset)) {
        if (!(await happened(asked.awake(dataset, stopping.signal)))) return;
        // Another process may have built it meanwhile.
        await runs.refresh().catch((error) => parts.onFault(dataset, error));
        waitMs = untilDue(dataset);
      }
      if (waitMs > 0 && (await waited(dataset, waitMs)) === "stopping") return;
      if (!asked.isAwake(dataset)) continue;
      waitMs = (await runOrReport(dataset)) === "done" ? untilDue(dataset) : BUSY_RETRY_MS;
      if (waitMs === BUSY_RETRY_MS) await runs.refresh().catch((error) => parts.onFault(dataset, error));
    }
  }

  /** Waits until the dataset is due, or until `rebuild` ends the wait. */
  async function waited(dataset: AnyDataset, waitMs: number): Promise<"over" | "stopping"> {
    const ended = new AbortController();
    waits.set(dataset.name, ended);
    await happened(clock.sleep(waitMs, AbortSignal.any([stopping.signal, ended.signal])));
    waits.delete(dataset.name);
    return stopping.signal.aborted ? "stopping" : "over";
  }

  function untilDue(dataset: AnyDataset): number {
    return Math.max(0, (runs.status(dataset)?.nextAt ?? 0) - clock.now());
  }

  return {
    runNow,
    get isStarted() {
      return loops.length > 0;
    },
    rebuild(dataset) {
      // After a failed run the next one is due soon anyway, and must not be hastened.
      if ((runs.status(dataset)?.failuresInRow ?? 0) > 0) return;
      const isRecent = clock.now() - (rebuiltAt.get(dataset.name) ?? Number.NEGATIVE_INFINITY) < REBUILD_EVERY_MS;
      const wait = waits.get(dataset.name);
      if (isRecent || !wait) return;
      rebuiltAt.set(dataset.name, clock.now());
      wait.abort(new Error("its stored content is unreadable"));
    },
    start() {
      for (const dataset of datasets) loops.push(keepBuilt(dataset));
    },
    async stop() {
      stopping.abort(new Error("stopping"));
      await Promise.allSettled(loops);
    },
  };
}

function tooLong(): SourceFailure {
  return new SourceFailure("unavailable", `the run took longer than ${RUN_MS_MAX / MINUTE_MS} minutes`);
}

/** False when the wait was cut short. */
async function happened(wait: Promise<void>): Promise<boolean> {
  try {
    await wait;
    return true;
  } catch {
    // Only an abort ends a wait early, and that is an answer, not an error.
    return false;
  }
}
