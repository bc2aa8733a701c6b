import type { OpenLog } from "../contract/change-log.js";
import type { DatasetTimeline } from "../contract/dataset-log.js";
import type { Mail } from "../contract/mail.js";
import type { Observation } from "../contract/on-demand.js";
import type { PostOutward } from "../contract/outward.js";
import type { AnyDataset } from "../contract/product.js";
import type { ReadSetting } from "../contract/setting.js";
import type { DatasetStanding } from "../contract/snapshot.js";
import type { StoredAnswers } from "../contract/stored-answers.js";
import type { JobContext, JobReads, StoreJob, StoreParts } from "../database/service-store.js";
import type { ReadingOnDemand } from "../ingest/read-on-demand.js";
import { noWorkQueue, type WorkQueue } from "../ingest/work-queue.js";
import type { Alarm } from "../kit/alarm.js";
import { SECOND_MS } from "../kit/clock.js";
import { coalesced } from "../kit/coalesced.js";
import type { LoopTurns } from "../kit/loop-turns.js";
import { mapValues } from "../kit/map-values.js";
import { repeatedly } from "../kit/repeatedly.js";
import type { Services } from "../services/registry.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";

/** Maximum time until a job sees a new generation. */
const CHANGES_SEEN_AFTER_MS = SECOND_MS;

/** The parts of the process that jobs use. */
export interface JobParts {
  readonly store: StoreParts;
  readonly registry: Pick<SnapshotRegistry, "get" | "datasets">;
  readonly onDemand: Pick<ReadingOnDemand, "read">;
  readonly logs: readonly OpenLog[];
  readonly post: PostOutward;
  readonly mail: Mail | undefined;
  readonly answers: StoredAnswers;
  readonly timeline: DatasetTimeline;
  readonly turns: LoopTurns;
  /** Wakes the jobs and streams that follow change logs and queues, in this process and in others. */
  readonly noteChanges: () => void;
}

export interface StoreJobParts extends JobParts {
  readonly signal: AbortSignal;
  /** Called with the fault that ended a run. The next run is not affected. */
  readonly onFault: (job: string, error: unknown) => void;
  /** Rings when a change log or a queue that the job follows has new entries. Default: never. */
  readonly alarm?: Alarm;
}

export interface KeptJobParts extends StoreJobParts {
  /** Chooses the node that runs the job. Default: this node. */
  readonly queue?: Pick<WorkQueue, "request">;
  /**
   * The function that runs the job on this node. If the queue already has a function for this job, this must be the
   * same function. Default: a new function.
   */
  readonly run?: () => Promise<void>;
}

/** The jobs of all services whose groups are switched on. */
export function jobsOf({ groups, stores }: Pick<Services, "groups" | "stores">, settingOf: ReadSetting): StoreJob[] {
  const off = new Set(
    groups.flatMap(({ service, switchedBy }) => (switchedBy && !settingOf(switchedBy.setting) ? [service] : [])),
  );
  return stores.flatMap(({ service, store }) => (off.has(service) ? [] : (store.jobs ?? [])));
}

/**
 * Returns the function that runs a job on this node, one run at a time. All calls during a run together cause one
 * further run, which starts when that run has ended. The function passes faults to `onFault` and never rejects.
 */
export function jobRun(job: StoreJob, parts: StoreJobParts): () => Promise<void> {
  return coalesced(async () => {
    try {
      await job.run(parts.store, jobContext(job.reads, parts));
    } catch (fault) {
      parts.onFault(job.name, fault);
    }
  });
}

/**
 * Runs a job immediately. Until the signal aborts, runs the job again whenever it is due, one of its datasets has
 * changed, or its alarm rings. The queue may choose another node for a run.
 */
export async function keepJob(job: StoreJob, parts: KeptJobParts): Promise<void> {
  const { queue = noWorkQueue, run = jobRun(job, parts) } = parts;
  const { clock } = parts.store;
  let seen: string | undefined;
  let startedAt = 0;
  const look = async (isWoken: boolean): Promise<void> => {
    const contents = Object.values<AnyDataset>(job.reads).map((dataset) => contentOf(parts.registry, dataset));
    const now = clock.now();
    // If the last start is in the future, it was recorded by a clock that has since been set back, so the job is due.
    const isDue = now - startedAt >= job.everyMs || now < startedAt;
    const isNew = isWoken || contents.join() !== seen;
    if (!isDue && !isNew) return;
    seen = contents.join();
    startedAt = now;
    const isQueued = await queue.request(job.name, isNew ? {} : { everyMs: job.everyMs });
    if (!isQueued) await run();
  };
  const onFault = (error: unknown): void => parts.onFault(job.name, error);
  await look(false).catch(onFault);
  await repeatedly(look, CHANGES_SEEN_AFTER_MS, clock, parts.signal, onFault, parts.alarm);
}

function standingOf(registry: StoreJobParts["registry"], dataset: AnyDataset): DatasetStanding {
  const snapshot = registry.get(dataset);
  const { state } = snapshot;
  if (!snapshot.available) {
    const nothing = { generation: null, newestGeneration: null, contentHash: null, newestAt: null };
    return { dataset: dataset.name, state, ...nothing };
  }
  const { generation, contentHash, newestAt, newerUnreadable } = snapshot;
  const newestGeneration = newerUnreadable?.generation ?? generation;
  return { dataset: dataset.name, state, generation, newestGeneration, contentHash, newestAt };
}

/** A string that changes with the served generation of a dataset and with its state. */
function contentOf(registry: StoreJobParts["registry"], dataset: AnyDataset): string {
  const snapshot = registry.get(dataset);
  return snapshot.available ? `${snapshot.generation} ${snapshot.state}` : snapshot.state;
}

/** Creates the inputs of a job's run, except the store. */
export function jobContext(reads: JobReads, parts: JobParts & Pick<StoreJobParts, "signal">): JobContext<JobReads> {
  const { registry, onDemand, logs, post, mail, answers, timeline, turns, noteChanges, signal } = parts;
  return {
    logs,
    post,
    mail,
    answers,
    timeline,
    standings: () => registry.datasets.map((dataset) => standingOf(registry, dataset)),
    snapshots: mapValues(reads, (dataset) => registry.get(dataset)),
    async observe(read, query) {
      const plan = read.plan(query);
      if (plan === undefined) {
        const now = parts.store.clock.now();
        return { state: "not-asked", fetchedAt: now, expiresAt: now };
      }
      // The cast is safe, because `onDemand.read` returns records of the source that `read` declares.
      return (await onDemand.read(read, plan)) as Observation<never>;
    },
    turns,
    noteChanges,
    signal,
  };
}
