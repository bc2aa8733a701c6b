import { setMaxListeners } from "node:events";
import type { AnyDataset } from "../contract/dataset.js";
import { SourceFailure } from "../contract/source.js";
import type { Leases } from "../database/leases.js";
import { type Clock, isWithin, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import type { AskedBoard } from "../snapshots/asked-board.js";
import type { DatasetStatus } from "../snapshots/generation.js";
import type { SourceRunReport } from "../snapshots/provenance.js";
import type { RunResult } from "./run-dataset.js";

/** Longest that a run may take; its lease outlives it, so that nobody else starts the same build meanwhile. */
const RUN_MS_MAX = 10 * MINUTE_MS;
const LEASE_MS = RUN_MS_MAX + MINUTE_MS;
/** Delay before the next look at a dataset that another process is building. */
const BUSY_RETRY_MS = 15 * SECOND_MS;

/** A rebuild that did not help is not repeated sooner. */
const REBUILD_EVERY_MS = 10 * MINUTE_MS;
/** Longest delay before the next run of a dataset whose runs end in faults of ours. */
const FAULT_RETRY_MS_MAX = 4 * MINUTE_MS;
/** Longest time for which a changed clock may go unnoticed. */
const CLOCK_LOOKED_AT_MS = 30 * SECOND_MS;

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

/** The outcome of the newest run of every dataset, as of the last `refresh`. */
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
    const built = await runWithLease(dataset, async () => true, onReport);
    return typeof built === "string" ? undefined : built;
  }

  /** Runs a dataset unless another process is building it, or `isWanted` says otherwise once nobody else can. */
  async function runWithLease(
    dataset: AnyDataset,
    isWanted: () => Promise<boolean>,
    onReport?: (report: SourceRunReport) => void,
  ): Promise<RunResult | "busy" | "unwanted"> {
    const lease = leaseOf(dataset.name);
    if (!(await leases.acquire(lease, holder, LEASE_MS))) return "busy";
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(tooLong()), RUN_MS_MAX).unref();
    try {
      if (!(await isWanted())) return "unwanted";
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

  /** Runs a dataset, unless another process has done so since this was planned. */
  async function runOrReport(dataset: AnyDataset, { basedOn }: Plan): Promise<"done" | "busy" | "fault"> {
    const isStillDue = async (): Promise<boolean> => {
      await runs.refresh();
      return runs.status(dataset)?.attemptedAt === basedOn || untilDue(dataset) === 0;
    };
    try {
      return (await runWithLease(dataset, isStillDue)) === "busy" ? "busy" : "done";
    } catch (error) {
      if (!stopping.signal.aborted) parts.onFault(dataset, error);
      return "fault";
    }
  }

  function planned(dataset: AnyDataset): Plan {
    return { waitMs: untilDue(dataset), basedOn: runs.status(dataset)?.attemptedAt };
  }

  /** A dataset that failed in an earlier life is tried at once: its key or its network may be there now. */
  async function keepBuilt(dataset: AnyDataset): Promise<void> {
    const isWell = runs.status(dataset)?.failuresInRow === 0;
    let plan = isWell || parts.isReplacement ? planned(dataset) : { ...planned(dataset), waitMs: 0 };
    let faults = 0;
    while (!stopping.signal.aborted) {
      if (!asked.isAwake(dataset)) {
        if (!(await happened(asked.awake(dataset, stopping.signal)))) return;
        // Another process may have built it meanwhile.
        await runs.refresh().catch((error) => parts.onFault(dataset, error));
        plan = planned(dataset);
      }
      if (!(await waited(dataset, plan.waitMs))) return;
      if (!asked.isAwake(dataset)) continue;
      const ended = await runOrReport(dataset, plan);
      faults = ended === "fault" ? faults + 1 : 0;
      // Upstreams were asked for nothing where the store takes nothing: they are asked ever less often.
      if (ended === "done") plan = planned(dataset);
      else plan = { ...plan, waitMs: Math.min(BUSY_RETRY_MS * 2 ** Math.max(0, faults - 1), FAULT_RETRY_MS_MAX) };
    }
  }

  /**
   * Waits in steps, looking at the clock after each, so that a clock that is set is noticed soon. `rebuild` ends the wait.
   * False when the service is stopping.
   */
  async function waited(dataset: AnyDataset, waitMs: number): Promise<boolean> {
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping.signal, ended.signal]);
    waits.set(dataset.name, ended);
    let leftMs = waitMs;
    while (leftMs > 0) {
      const stepMs = Math.min(leftMs, CLOCK_LOOKED_AT_MS);
      const startedAt = clock.now();
      if (!(await happened(clock.sleep(stepMs, signal)))) break;
      // A clock that was set forward has taken more off the wait; one that was set back has taken no less.
      leftMs -= Math.max(stepMs, clock.now() - startedAt);
    }
    waits.delete(dataset.name);
    return !stopping.signal.aborted;
  }

  /** Never longer than was planned after the newest run: a clock that was ahead then has been set back. */
  function untilDue(dataset: AnyDataset): number {
    const { nextAt, attemptedAt } = runs.status(dataset) ?? { nextAt: null, attemptedAt: 0 };
    return nextAt === null ? 0 : Math.max(0, Math.min(nextAt - clock.now(), nextAt - attemptedAt));
  }

  return {
    runNow,
    get isStarted() {
      return loops.length > 0;
    },
    rebuild(dataset) {
      // After a failed run the next one is due soon anyway, and must not be hastened.
      if ((runs.status(dataset)?.failuresInRow ?? 0) > 0) return;
      const isRecent = isWithin(clock.now(), rebuiltAt.get(dataset.name) ?? Number.NEGATIVE_INFINITY, REBUILD_EVERY_MS);
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

/** The wait for the next run, and the time of the newest run that was known when it was computed. */
interface Plan {
  readonly waitMs: number;
  readonly basedOn: number | undefined;
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
