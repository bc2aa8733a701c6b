import type { AnyDataset } from "../contract/product.js";
import type { Leases } from "../database/leases.js";
import { recordLostRun } from "../ingest/record-lost-run.js";
import type { Clock } from "../kit/clock.js";
import { systemRandom } from "../kit/random.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import type { SnapshotStore } from "../snapshots/store.js";
import type { Builder, FeedOptions } from "./builder.js";
import { type BuilderThread, type BuilderThreadParts, keepBuilderThread, type ThreadForm } from "./builder-thread.js";
import type { Logger } from "./log.js";

/** Builds datasets in this thread or in a separate one. */
export interface Building {
  /**
   * Starts building. In a separate thread, building stops when `signal` aborts, and the promise resolves when the
   * thread has ended. In this thread, the promise resolves immediately, and building stops when the builder is closed.
   */
  start(signal: AbortSignal): Promise<void>;
  readonly isStarted: boolean;
  /** Reports the demand for a dataset to the separate thread, if there is one. */
  tell(dataset: AnyDataset, requestedAt: number): void;
  /** Rebuilds every dataset whose stored content cannot be read. */
  rebuildUnreadable(): Promise<void>;
}

export interface BuildingParts {
  readonly options: FeedOptions & { readonly dataDir: string; readonly thread?: ThreadForm };
  /** The first part of the Redis keys of all queues; undefined without Redis. */
  readonly queuePrefix: string | undefined;
  /** True to build in a separate thread. */
  readonly inThread: boolean;
  readonly builder: Builder;
  readonly store: SnapshotStore;
  readonly registry: SnapshotRegistry;
  readonly leases: Pick<Leases, "releaseAll">;
  readonly clock: Clock;
  /** Reports runs and faults. */
  readonly report: Pick<BuilderThreadParts, "onRun" | "onFault">;
  readonly onStoreFault: (error: unknown) => void;
}

export function datasetBuilding(parts: BuildingParts): Building {
  const { options, queuePrefix, inThread, builder, store, registry, leases, clock, report, onStoreFault } = parts;
  let thread: BuilderThread | undefined;

  async function recordLoss(dataset: AnyDataset, error: string): Promise<void> {
    await recordLostRun({ store, clock, random: systemRandom }, dataset, error);
    await registry.refresh();
  }

  return {
    start(signal) {
      if (!inThread) {
        builder.ingest.start();
        return Promise.resolve();
      }
      thread = keepBuilderThread({
        options,
        clock,
        signal,
        queuePrefix,
        onLost: recordLoss,
        onAbandoned: leases.releaseAll,
        onPublish: () => void registry.refresh().catch(onStoreFault),
        thread: options.thread,
        ...report,
      });
      return thread.stopped;
    },
    get isStarted() {
      return thread !== undefined || builder.ingest.isStarted;
    },
    tell: (dataset, requestedAt) => thread?.tell(dataset.name, requestedAt),
    async rebuildUnreadable() {
      for (const dataset of registry.unreadable()) {
        if (thread) thread.rebuild(dataset.name);
        else builder.ingest.rebuild(dataset);
      }
    },
  };
}

/** Logs runs and faults, and calls `onEnd` after every run. */
export function reportTo(log: Logger, onEnd: () => void): Pick<BuilderThreadParts, "onRun" | "onFault"> {
  return {
    onRun: (dataset, { outcome, status, generation }) => {
      onEnd();
      const fields = { dataset: dataset.name, outcome, generation: generation?.generation ?? 0 };
      if (status.error === null) log.info(fields, "dataset run");
      else log.warn({ ...fields, error: status.error }, "dataset run");
      for (const [part, { warnings = [] }] of Object.entries(status.parts)) {
        for (const warning of warnings) log.warn({ dataset: dataset.name, part }, warning);
      }
    },
    onFault: (dataset, error) => log.error({ dataset: dataset?.name, err: error }, "building met a fault"),
  };
}
