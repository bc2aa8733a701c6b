import { setMaxListeners } from "node:events";
import type { AnyDataset } from "../contract/product.js";
import { type AnyProduct, ingredientsOf, requiredIngredientsOf } from "../contract/product.js";
import { SourceFailure } from "../contract/source.js";
import type { Leases } from "../database/leases.js";
import { type Clock, isWithin, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { repeatedly } from "../kit/repeatedly.js";
import type { RequestBoard } from "../snapshots/builds/request-board.js";
import type { DatasetStatus, Generation } from "../snapshots/generation.js";
import type { SourceRunReport } from "../snapshots/provenance.js";
import type { RunOptions, RunResult } from "./run.js";
import { noWorkQueue, type Work, type WorkQueue } from "./work-queue.js";

/**
 * Maximum duration of a run. During a run, the process holds a lease for the dataset: a lock in the database that
 * expires. The lease lasts longer than the run, so that no other process starts the same build in the meantime.
 */
const RUN_MS_MAX = 10 * MINUTE_MS;
const LEASE_MS = RUN_MS_MAX + MINUTE_MS;
/** Delay before the next check of a dataset that another process is building. */
const BUSY_RETRY_MS = 15 * SECOND_MS;

/** Shortest time between two rebuilds of the same dataset. */
const REBUILD_EVERY_MS = 10 * MINUTE_MS;
/** Longest delay before the next run of a dataset whose runs end in internal errors. */
const FAULT_RETRY_MS_MAX = 4 * MINUTE_MS;
/** Maximum time for which a clock change may go unnoticed. */
const CLOCK_LOOKED_AT_MS = 30 * SECOND_MS;
/** Shortest time between two builds of a product while its ingredients are published for the first time. */
const FIRST_SPACING_MS = 2 * SECOND_MS;
/** Longest time until a product sees a generation that another process published. */
const CHANGES_SEEN_AFTER_MS = 5 * SECOND_MS;

const LISTENERS_PER_DATASET = 4;

/** Name of the lease held by a dataset's builder. */
export function leaseOf(dataset: string): string {
  return `build ${dataset}`;
}

export interface Ingest {
  /** Runs a dataset now. Returns undefined if another process is building it. */
  runNow(dataset: AnyDataset, onReport?: (report: SourceRunReport) => void): Promise<RunResult | undefined>;
  /** Runs datasets now, concurrently. Each product runs after its ingredients, if these are among the datasets. */
  runAll(
    datasets: readonly AnyDataset[],
    onReport?: (dataset: AnyDataset, report: SourceRunReport) => void,
  ): Promise<readonly (RunResult | undefined)[]>;
  /** Schedules an early build of a dataset whose stored content cannot be read. */
  rebuild(dataset: AnyDataset): void;
  /**
   * Keeps the datasets up to date until `stop`. A dataset that is built only on request is kept up to date only while
   * it has recent requests.
   */
  start(): void;
  readonly isStarted: boolean;
  /** Cancels all runs and resolves when they have ended. */
  stop(): Promise<void>;
}

/** The outcome of the latest run and the newest generation of every dataset, as of the last `refresh`. */
export interface KnownRuns {
  status(dataset: AnyDataset): DatasetStatus | undefined;
  /** The newest generation. */
  generation(dataset: AnyDataset): Pick<Generation, "generation"> | undefined;
  refresh(): Promise<void>;
}

export interface IngestParts {
  readonly clock: Clock;
  readonly leases: Leases;
  /** The name under which this process holds leases. */
  readonly holder: string;
  readonly datasets: readonly AnyDataset[];
  readonly runs: KnownRuns;
  readonly requests: Pick<RequestBoard, "isAwake" | "awake">;
  /**
   * True if this scheduler replaces one whose thread was lost. Failed datasets then wait until they are due instead of
   * running immediately. Default: false.
   */
  readonly isReplacement?: boolean;
  /** Chooses the node that runs a due dataset. Default: this node. */
  readonly queue?: WorkQueue;
  readonly run: (dataset: AnyDataset, options: Omit<RunOptions, "gated">) => Promise<RunResult>;
  /** Called after every finished run. */
  readonly onRun: (dataset: AnyDataset, result: RunResult) => void;
  /** Called for every fault. `dataset` is undefined for a fault that concerns several datasets. */
  readonly onFault: (dataset: AnyDataset | undefined, error: unknown) => void;
}

export function createIngest(parts: IngestParts): Ingest {
  const { clock, leases, holder, datasets, runs, requests, queue = noWorkQueue } = parts;
  const stopping = new AbortController();
  // Every loop and every run adds a listener, and Node would report more than ten listeners as a leak.
  setMaxListeners(datasets.length * LISTENERS_PER_DATASET, stopping.signal);
  const products = datasets.flatMap((dataset) =>
    dataset.kind === "product" && dataset.onChange !== undefined ? [dataset] : [],
  );
  const loops: Promise<void>[] = [];
  /** The runs that were started on request, in addition to those of the loops. */
  const running = new Set<Promise<unknown>>();
  /** The names of the datasets that this node is running because they are due. */
  const underWay = new Set<string>();
  const waits = new Map<string, AbortController>();
  const rebuiltAt = new Map<string, number>();
  /** The number of consecutive runs on this node that ended in a fault, by dataset. */
  const faults = new Map<string, number>();

  async function runNow(
    dataset: AnyDataset,
    onReport?: (report: SourceRunReport) => void,
  ): Promise<RunResult | undefined> {
    const run = runWithLease(dataset, async () => true, onReport);
    running.add(run);
    try {
      const built = await run;
      return typeof built === "string" ? undefined : built;
    } finally {
      running.delete(run);
    }
  }

  /**
   * Runs a dataset unless another process is building it. `isWanted` is called once this process holds the lease; if it
   * resolves to false, the dataset is not run.
   */
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
      const onFault = (error: unknown): void => parts.onFault(dataset, error);
      const result = await parts.run(dataset, { signal, onFault, ...(onReport && { onReport }) });
      await runs.refresh();
      parts.onRun(dataset, result);
      wakeProducts();
      return result;
    } finally {
      clearTimeout(timer);
      await leases.release(lease, holder);
    }
  }

  /**
   * Runs a dataset. Does nothing if another process has run the dataset since this run was planned and the dataset is
   * no longer due. Passes an error to `onFault`. Returns "busy" if this process is stopping, or if another process or
   * an earlier call of this function is running the dataset. The lease alone does not keep two calls apart, because
   * both have the same holder.
   */
  async function runOrReport(dataset: AnyDataset, basedOn: number | undefined): Promise<"done" | "busy" | "fault"> {
    const isStillDue = async (): Promise<boolean> => {
      await runs.refresh();
      return runs.status(dataset)?.attemptedAt === basedOn || untilWanted(dataset) === 0;
    };
    if (underWay.has(dataset.name) || stopping.signal.aborted) return "busy";
    underWay.add(dataset.name);
    try {
      const built = await runWithLease(dataset, isStillDue);
      faults.delete(dataset.name);
      return built === "busy" ? "busy" : "done";
    } catch (error) {
      faults.set(dataset.name, (faults.get(dataset.name) ?? 0) + 1);
      if (!stopping.signal.aborted) parts.onFault(dataset, error);
      return "fault";
    } finally {
      underWay.delete(dataset.name);
    }
  }

  /** Runs a dataset that a node has requested through the queue. */
  async function runRequested(dataset: AnyDataset, basedOn: number | undefined): Promise<void> {
    const run = runOrReport(dataset, basedOn);
    running.add(run);
    const ended = await run.finally(() => running.delete(run));
    if (ended === "done") waits.get(dataset.name)?.abort(planChanged);
  }

  function requestedRuns(): ReadonlyMap<string, Work> {
    return new Map(datasets.map((dataset) => [dataset.name, (basedOn) => runRequested(dataset, basedOn)]));
  }

  function planned(dataset: AnyDataset): Plan {
    return { waitMs: untilWanted(dataset), basedOn: runs.status(dataset)?.attemptedAt };
  }

  /**
   * The wait before the next attempt, ms, after this node has requested a run through the queue or could not run the
   * dataset. A run that ends in a fault, for example because the store rejects writes, wastes its upstream requests.
   * The wait therefore grows with each fault.
   */
  function retryMs(dataset: AnyDataset): number {
    return Math.min(BUSY_RETRY_MS * 2 ** Math.max(0, (faults.get(dataset.name) ?? 0) - 1), FAULT_RETRY_MS_MAX);
  }

  /**
   * Runs a dataset whenever it is due, until the process stops. If the dataset's last run before the start failed, the
   * dataset is run immediately, because its key or the network may be available now. If this scheduler is a
   * replacement, the dataset is not run until it is due.
   */
  async function keepBuilt(dataset: AnyDataset): Promise<void> {
    const isWell = runs.status(dataset)?.failuresInRow === 0;
    let plan = planned(dataset);
    if (!isWell && !parts.isReplacement && plan.waitMs !== UNTIL_WOKEN) plan = { ...plan, waitMs: 0 };
    while (!stopping.signal.aborted) {
      if (!requests.isAwake(dataset)) {
        if (!(await happened(requests.awake(dataset, stopping.signal)))) return;
        // The runs are read again, because another process may have built the dataset in the meantime.
        await runs.refresh().catch((error) => parts.onFault(dataset, error));
        plan = planned(dataset);
      }
      const waitEnd = await waited(dataset, plan.waitMs);
      if (waitEnd === "stopped") return;
      if (waitEnd === "changed") plan = planned(dataset);
      if (waitEnd === "changed" || !requests.isAwake(dataset)) continue;
      if (plan.isQueued && (await hasRunSince(dataset, plan))) plan = planned(dataset);
      else plan = await runOrRequested(dataset, plan);
    }
  }

  /** Requests a run of a dataset through the queue or, if the queue cannot be used, runs it. Returns the next plan. */
  async function runOrRequested(dataset: AnyDataset, plan: Plan): Promise<Plan> {
    const { basedOn } = plan;
    const isQueued = await queue.request(dataset.name, { basedOn });
    if (!isQueued && (await runOrReport(dataset, basedOn)) === "done") return planned(dataset);
    return { waitMs: retryMs(dataset), basedOn, isQueued };
  }

  /** True if some node has run the dataset since the plan was made. */
  async function hasRunSince(dataset: AnyDataset, { basedOn }: Plan): Promise<boolean> {
    await runs.refresh().catch((error) => parts.onFault(dataset, error));
    return runs.status(dataset)?.attemptedAt !== basedOn;
  }

  /**
   * Waits in short steps and reads the clock after each, so that a clock change is noticed soon. A call of `rebuild`
   * ends the wait early, and so does a change of the plan: this node has run the dataset for the queue, or
   * `wakeProducts` has found that the product must be run.
   */
  async function waited(dataset: AnyDataset, waitMs: number): Promise<"over" | "changed" | "stopped"> {
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping.signal, ended.signal]);
    waits.set(dataset.name, ended);
    let leftMs = waitMs;
    while (leftMs > 0) {
      const stepMs = Math.min(leftMs, CLOCK_LOOKED_AT_MS);
      const startedAt = clock.now();
      if (!(await happened(clock.sleep(stepMs, signal)))) break;
      // Setting the clock forward shortens the wait; setting it back does not lengthen the wait.
      leftMs -= Math.max(stepMs, clock.now() - startedAt);
    }
    waits.delete(dataset.name);
    if (stopping.signal.aborted) return "stopped";
    return ended.signal.reason === planChanged ? "changed" : "over";
  }

  /**
   * The ingredients of a product that have a newer generation than the one that the product's latest run read. A run
   * that read no generation of an ingredient counts as having read generation 0.
   */
  function changesOf(product: AnyProduct): readonly { readonly read: number }[] {
    const ingredients = runs.status(product)?.ingredients ?? {};
    return ingredientsOf(product).flatMap((ingredient) => {
      const read = ingredients[ingredient.name] ?? 0;
      return (runs.generation(ingredient)?.generation ?? 0) > read ? [{ read }] : [];
    });
  }

  function isChanged(product: AnyProduct): boolean {
    return changesOf(product).length > 0;
  }

  /**
   * Ends the waits of products with a changed ingredient, and of products that have never run and for which
   * `lacksTries` is now false.
   */
  function wakeProducts(): void {
    for (const product of products) {
      const isFirst = runs.status(product) === undefined && !lacksTries(product);
      if (isFirst || isChanged(product)) waits.get(product.name)?.abort(planChanged);
    }
  }

  /** True until all required ingredients, and at least one ingredient of any kind, have been tried. */
  function lacksTries(product: AnyProduct): boolean {
    const isUntried = (ingredient: AnyDataset): boolean => !runs.status(ingredient) && !runs.generation(ingredient);
    return requiredIngredientsOf(product).some(isUntried) || ingredientsOf(product).every(isUntried);
  }

  /** Looks for generations that other processes published. */
  function followChanges(): Promise<void> {
    const look = async (): Promise<void> => {
      await runs.refresh();
      wakeProducts();
    };
    const onFault = (error: unknown): void => parts.onFault(undefined, error);
    return repeatedly(look, CHANGES_SEEN_AFTER_MS, clock, stopping.signal, onFault);
  }

  /**
   * The wait before the next run of a dataset, ms. A dataset is run when it is due. A product with `onChange` is run
   * earlier if an ingredient changed, but never while `lacksTries` is true.
   */
  function untilWanted(dataset: AnyDataset): number {
    if (dataset.kind === "collection") return untilDue(dataset);
    if (dataset.onChange && lacksTries(dataset)) return UNTIL_WOKEN;
    const attemptedAt = runs.status(dataset)?.attemptedAt;
    if (!dataset.onChange || attemptedAt === undefined) return untilDue(dataset);
    const changes = changesOf(dataset);
    if (changes.length === 0) return untilDue(dataset);
    const hasFirst = changes.some(({ read }) => read === 0);
    const spacingMs = hasFirst ? Math.min(FIRST_SPACING_MS, dataset.onChange.spacingMs) : dataset.onChange.spacingMs;
    const spacedMs = Math.min(spacingMs, Math.max(0, attemptedAt + spacingMs - clock.now()));
    return Math.min(untilDue(dataset), spacedMs);
  }

  /**
   * The wait until a dataset is due, ms. It is never longer than the delay that was planned after the latest run, so
   * that setting the clock back does not extend it.
   */
  function untilDue(dataset: AnyDataset): number {
    const { nextAt, attemptedAt } = runs.status(dataset) ?? { nextAt: null, attemptedAt: 0 };
    return nextAt === null ? 0 : Math.max(0, Math.min(nextAt - clock.now(), nextAt - attemptedAt));
  }

  async function runAll(
    requestedDatasets: readonly AnyDataset[],
    onReport?: (dataset: AnyDataset, report: SourceRunReport) => void,
  ): Promise<readonly (RunResult | undefined)[]> {
    const begun = new Map<AnyDataset, Promise<RunResult | undefined>>();
    function runOnce(dataset: AnyDataset): Promise<RunResult | undefined> {
      const running = begun.get(dataset) ?? runAfterIngredients(dataset);
      begun.set(dataset, running);
      return running;
    }
    async function runAfterIngredients(dataset: AnyDataset): Promise<RunResult | undefined> {
      const first = ingredientsOf(dataset).filter((ingredient) => requestedDatasets.includes(ingredient));
      // Failures are ignored here, because a product itself reports its missing ingredients.
      await Promise.allSettled(first.map(runOnce));
      return runNow(dataset, onReport && ((report) => onReport(dataset, report)));
    }
    return Promise.all(requestedDatasets.map(runOnce));
  }

  return {
    runNow,
    runAll,
    get isStarted() {
      return loops.length > 0;
    },
    rebuild(dataset) {
      // After a failed run, the next run is due soon anyway, so it is not brought forward.
      if ((runs.status(dataset)?.failuresInRow ?? 0) > 0) return;
      const isRecent = isWithin(clock.now(), rebuiltAt.get(dataset.name) ?? Number.NEGATIVE_INFINITY, REBUILD_EVERY_MS);
      const wait = waits.get(dataset.name);
      if (isRecent || !wait) return;
      rebuiltAt.set(dataset.name, clock.now());
      wait.abort(new Error("its stored content is unreadable"));
    },
    start() {
      queue.begin(requestedRuns());
      for (const dataset of datasets) loops.push(keepBuilt(dataset));
      if (products.length > 0) loops.push(followChanges());
    },
    async stop() {
      stopping.abort(new Error("stopping"));
      await Promise.allSettled([...loops, ...running]);
    },
  };
}

/** The wait for the next run, and the time of the latest known run when the wait was computed. */
interface Plan {
  readonly waitMs: number;
  readonly basedOn: number | undefined;
  /** True if the run was requested through the queue. This node looks for the result of the run after the wait. */
  readonly isQueued?: boolean;
}

/** The wait of a product for which `lacksTries` is true. */
const UNTIL_WOKEN = Number.POSITIVE_INFINITY;

const planChanged = new Error("the dataset has been run, or an ingredient has a newer generation");

function tooLong(): SourceFailure {
  return new SourceFailure("unavailable", `the run took longer than ${RUN_MS_MAX / MINUTE_MS} minutes`);
}

/** False if the wait was cut short. */
async function happened(wait: Promise<void>): Promise<boolean> {
  try {
    await wait;
    return true;
  } catch {
    // Only an abort ends the wait early, and that is a normal result.
    return false;
  }
}
