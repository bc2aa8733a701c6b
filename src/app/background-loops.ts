import { thinAuditLog } from "../access/audit-log.js";
import type { BodyStore } from "../database/bodies.js";
import type { Leases } from "../database/leases.js";
import type { RegisteredStore, StoreParts } from "../database/service-store.js";
import { isStoreLost } from "../database/store-error.js";
import { STORE_CHECKED_EVERY_MS, type StoreWatch } from "../database/store-watch.js";
import { keepRetention } from "../ingest/retention-loop.js";
import { noWorkQueue, type WorkQueue } from "../ingest/work-queue.js";
import { Alarm } from "../kit/alarm.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { repeatedly } from "../kit/repeatedly.js";
import { REQUEST_SEEN_AFTER_MS, type RequestBoard } from "../snapshots/builds/request-board.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import type { Access } from "./access.js";
import type { Building } from "./building.js";
import type { Config } from "./config.js";
import type { ServiceOptions } from "./service-options.js";
import { type JobParts, jobRun, jobsOf, keepJob } from "./store-jobs.js";

/** Maximum delay before this process sees what another process has published. */
const SNAPSHOTS_SEEN_AFTER_MS = 2 * SECOND_MS;
/** Maximum delay before unreadable content is noticed and its rebuild is started. */
const UNREADABLE_SEEN_AFTER_MS = 20 * SECOND_MS;
/** Maximum time for which a key still works after another process has revoked it, unless the store is lost. */
const ACCESS_SEEN_AFTER_MS = SECOND_MS / 2;

/** The parts of the process that its background loops work on. */
export interface BackgroundParts {
  readonly registry: SnapshotRegistry;
  readonly access: Access;
  readonly watch: StoreWatch;
  readonly storeParts: StoreParts;
  readonly jobParts: JobParts;
  /** Chooses the node that runs a job. */
  readonly jobQueue: WorkQueue;
  readonly options: ServiceOptions;
  readonly building: Building;
  readonly requests: RequestBoard;
  readonly bodies: BodyStore;
  readonly leases: Leases;
  readonly holder: string;
  readonly alarms: LoopAlarms;
}

/**
 * Alarms for the loops that poll for changes by other processes. An alarm wakes its loop before the next poll is due.
 */
export interface LoopAlarms {
  readonly snapshots: Alarm;
  readonly access: Alarm;
  /** The alarms of the jobs that process new entries of change logs and queues, by job name. */
  readonly jobs: Map<string, Alarm>;
}

export function loopAlarms(): LoopAlarms {
  return { snapshots: new Alarm(), access: new Alarm(), jobs: new Map() };
}

/** Runs work at this interval until the process stops. */
type Every = (intervalMs: number, run: () => Promise<void>, alarm?: Alarm) => Promise<void>;

/**
 * Starts the loops that the role of this process requires. They run until `signal` aborts. Each promise resolves when
 * its loop has ended.
 */
export function backgroundLoops(parts: BackgroundParts, signal: AbortSignal): Promise<void>[] {
  const { registry, access, watch, requests, options, alarms } = parts;
  const { clock } = parts.storeParts;
  const onFault = (error: unknown): void => watch.note(error);
  const every: Every = (intervalMs, run, alarm) => repeatedly(run, intervalMs, clock, signal, onFault, alarm);
  return [
    every(SNAPSHOTS_SEEN_AFTER_MS, registry.refresh, alarms.snapshots),
    every(REQUEST_SEEN_AFTER_MS, requests.refresh),
    every(ACCESS_SEEN_AFTER_MS, access.credentials.refresh, alarms.access),
    every(STORE_CHECKED_EVERY_MS, watch.check),
    ...(options.config.role === "api" ? [] : ingestLoops(parts, every, signal)),
  ];
}

/**
 * Starts the loops that change the store: they rebuild unreadable content, run the jobs of services and apply
 * retention.
 */
function ingestLoops(parts: BackgroundParts, every: Every, signal: AbortSignal): Promise<void>[] {
  const { options, watch, storeParts, building } = parts;
  const { database, clock } = storeParts;
  const onFault = (error: unknown): void => watch.note(error);
  return [
    every(UNREADABLE_SEEN_AFTER_MS, building.rebuildUnreadable),
    every(HOUR_MS, () => thinAuditLog(database.db, clock.now())),
    ...options.services.stores.flatMap((registered) => storeLoops(registered, storeParts, every, onFault)),
    ...jobLoops(parts, signal),
    retentionLoop(parts, signal),
  ];
}

/** Applies retention to the store of a service and, in a demo, simulates activity in it. */
function storeLoops(
  { store }: RegisteredStore,
  storeParts: StoreParts,
  every: Every,
  onFault: (error: unknown) => void,
): Promise<void>[] {
  const thinning = every(HOUR_MS, async () => store.thin?.(storeParts));
  if (!storeParts.isSimulated) return [thinning];
  const play = async (): Promise<void> => store.playDemo?.(storeParts);
  const playing = play()
    .catch(onFault)
    .then(() => every(MINUTE_MS, play));
  return [thinning, playing];
}

function jobLoops(parts: BackgroundParts, signal: AbortSignal): Promise<void>[] {
  const { options, watch, storeParts, jobParts, jobQueue, alarms } = parts;
  const onFault = (job: string, error: unknown): void => {
    options.log.error({ job, err: error }, "a job failed");
    if (isStoreLost(error)) watch.note(error);
  };
  const jobs = jobsOf(options.services, storeParts.settingOf).map((job) => ({
    job,
    run: jobRun(job, { ...jobParts, signal, onFault }),
  }));
  const queued = jobs.filter(({ job }) => !job.onEachNode);
  jobQueue.begin(new Map(queued.map(({ job, run }) => [job.name, run])));
  return jobs.map(({ job, run }) => {
    const alarm = new Alarm();
    if (job.followsChanges) alarms.jobs.set(job.name, alarm);
    const queue = job.onEachNode ? noWorkQueue : jobQueue;
    return keepJob(job, { ...jobParts, signal, onFault, alarm, queue, run });
  });
}

function retentionLoop({ options, storeParts, bodies, leases, holder }: BackgroundParts, signal: AbortSignal) {
  const { config, services, log } = options;
  const { database, clock } = storeParts;
  const retention = {
    database,
    bodies,
    leases,
    holder,
    clock,
    datasets: services.allDatasets,
    policy: retentionPolicy(config),
  };
  return keepRetention(retention, signal, (error) => log.error({ err: error }, "old generations could not be removed"));
}

function retentionPolicy(config: Config) {
  return {
    wholeMs: config.retentionWholeDays * DAY_MS,
    dailyMs: config.retentionDailyDays * DAY_MS,
    bodyBytesMax: config.retentionDiskMb * 1_000_000,
  };
}
