import { setMaxListeners } from "node:events";
import { datasetTimeline } from "../contract/dataset-log.js";
import type { ServiceCounts } from "../contract/service-counter.js";
import type { StoredAnswers } from "../contract/stored-answers.js";
import type { BudgetStore } from "../database/budgets.js";
import type { IdempotencyStore } from "../database/idempotency.js";
import type { OpenDatabase } from "../database/open-database.js";
import { openLogs, openPort, type StoreLog, type StoreParts } from "../database/service-store.js";
import type { StoreWatch } from "../database/store-watch.js";
import { storedAnswers } from "../http/data-answer/stored-answers.js";
import { cursorsOf } from "../http/paging.js";
import { openStreams, type Streams } from "../http/streams/streams.js";
import { type ReadingOnDemand, readingOnDemand } from "../ingest/read-on-demand.js";
import type { Ingest } from "../ingest/scheduler.js";
import type { ReadingTools } from "../ingest/source-reading.js";
import { type Awaken, createAwaken } from "../ingest/waking.js";
import type { LoopTurns } from "../kit/loop-turns.js";
import { systemRandom } from "../kit/random.js";
import type { TokenSigner } from "../kit/signed-token.js";
import type { Limiter } from "../limits/limiter.js";
import { type Past, pastSnapshots } from "../snapshots/history/past-snapshots.js";
import { revisionReader } from "../snapshots/history/revision-reader.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import type { SnapshotStore } from "../snapshots/store.js";
import type { Access } from "./access.js";
import type { Announcement } from "./announcements.js";
import { backgroundLoops, type LoopAlarms, loopAlarms } from "./background-loops.js";
import { createBuilder, lazyClient } from "./builder.js";
import { type Building, datasetBuilding, reportTo } from "./building.js";
import { lazyMail } from "./mail.js";
import { openStore, storeFailure } from "./open-store.js";
import { lazyOutward } from "./outward.js";
import type { ServiceOptions } from "./service-options.js";
import { openSharedState, type SharedState } from "./shared-state.js";
import type { JobParts } from "./store-jobs.js";
import { storeLocation } from "./store-location.js";
import { storedExpressions } from "./stored-expressions.js";
import { openStoredState, type StoredState } from "./stored-state.js";

/** An open store with its snapshots in memory and the ingest that updates them, ready to serve. */
export interface Service {
  readonly database: OpenDatabase;
  readonly store: SnapshotStore;
  readonly registry: SnapshotRegistry;
  /** Reads snapshots as of a past instant. */
  readonly past: Past;
  readonly ingest: Ingest;
  readonly reading: ReadingTools;
  /** Wakes a dataset that is built only while it is in demand. Each request that reads such a dataset calls this. */
  readonly awaken: Awaken;
  readonly access: Access;
  readonly idempotency: IdempotencyStore;
  readonly limiter: Limiter;
  /** Reads upstreams on demand for requests and jobs, through a single cache. */
  readonly onDemand: ReadingOnDemand;
  /** Budgets for upstreams that charge by the call. */
  readonly budgets: BudgetStore;
  /** Divides the event loop among all parts that do long work in slices. */
  readonly turns: LoopTurns;
  /** Tracks whether the store accepts writes. */
  readonly watch: StoreWatch;
  /** Signs cursors in the same way on every node of this store. */
  readonly signer: TokenSigner;
  /** The parts of this process that the stores of services may use. */
  readonly storeParts: StoreParts;
  /** The change logs of all services. */
  readonly logs: readonly StoreLog[];
  /** The open streams of this process. */
  readonly streams: Streams;
  /** The parts of this process that jobs of services use. */
  readonly jobParts: JobParts;
  /** Counts of the events that the stores of services have reported in this process. */
  readonly counts: ServiceCounts;
  /** Tells the other processes about a change in the store. */
  announce(announcement: Announcement): void;
  /** Tells this process and the others that a call has written to the store. */
  noteWrite(): void;
  /**
   * Starts to poll for changes by other processes. Unless this process only answers calls, it also starts to build
   * datasets and to run jobs.
   */
  start(): void;
  close(): Promise<void>;
}

/** Opens every part except HTTP. Throws `OperatorError` for a demo on a store of real data, or the reverse. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { config, dataDir, log } = options;
  const location = {
    ...storeLocation(config, dataDir),
    onConnectionError: (error: Error) => log.warn({ err: error }, "a PostgreSQL connection was lost"),
  };
  const database = await openStore(location, options.kind);
  try {
    return await assemble(options, database);
  } catch (error) {
    await database.close();
    throw storeFailure(error, location);
  }
}

/** Opens the parts in the order of their dependencies. */
async function assemble(options: ServiceOptions, database: OpenDatabase): Promise<Service> {
  const { config, clock, log, services } = options;
  const outgoing = { client: lazyClient(options), outward: lazyOutward(options), mail: lazyMail(options) };
  const state = await openStoredState(options, database, outgoing.client);
  const { storeParts, access, store, registry, turns, requests, watch } = state;
  const { signer } = storeParts;
  const logs = services.stores.flatMap(({ store }) => store.logs?.(storeParts) ?? []);
  const streams = openStreams({
    logs: openLogs(logs, database.db),
    clock,
    random: systemRandom,
    perAccountMax: config.streamsPerAccount,
    onFault: (error) => log.error({ err: error }, "a stream failed"),
  });
  const { redisUrl } = config;
  const shared = await openSharedState({ redisUrl, clock, log, signer, siblings: options.siblings });
  const { announcements, jobs: jobQueue } = shared;
  const { builder, building } = openBuilding(options, database, state, shared);
  const onDemand = readingOnDemand({
    reading: builder.reading,
    clock,
    shared: shared.observations,
    onFailure: (key, cause) => log.warn({ key, err: cause }, "an on-demand read failed"),
  });
  const alarms = loopAlarms();
  const wakeUp = wakingPolls({ services, requests, building, streams, alarms });
  const jobParts: JobParts = {
    noteChanges() {
      wakeUp({ kind: "changes" });
      announcements.announce({ kind: "changes" });
    },
    store: storeParts,
    registry,
    logs: openLogs(logs, database.db),
    post: outgoing.outward.post,
    mail: outgoing.mail,
    onDemand,
    answers: openStoredAnswers(options, database, state),
    timeline: openPort(datasetTimeline, services.stores, storeParts),
    turns,
  };
  const stopping = new AbortController();
  // Every loop adds a listener, and Node would report more than ten listeners as a leak.
  setMaxListeners(0, stopping.signal);
  const background: Promise<void>[] = [];

  return {
    database,
    store,
    registry,
    past: pastSnapshots(store, registry, clock),
    ingest: builder.ingest,
    reading: builder.reading,
    awaken: createAwaken({
      requests,
      registry,
      clock,
      onFault: watch.note,
      tell(dataset, requestedAt) {
        building.tell(dataset, requestedAt);
        announcements.announce({ kind: "request", dataset: dataset.name, requestedAt });
      },
      // For an API node, other processes build the datasets.
      isBuilding: () => config.role === "api" || building.isStarted,
    }),
    access,
    idempotency: state.idempotency,
    limiter: shared.limiter,
    onDemand,
    budgets: builder.budgets,
    turns,
    watch,
    signer,
    storeParts,
    logs,
    streams,
    jobParts,
    counts: state.counts,
    announce: announcements.announce,
    noteWrite() {
      wakeUp({ kind: "written" });
      announcements.announce({ kind: "written" });
    },
    start() {
      announcements.listen(wakeUp);
      if (config.role !== "api") background.push(building.start(stopping.signal));
      background.push(...backgroundLoops({ ...state, options, jobParts, jobQueue, building, alarms }, stopping.signal));
    },
    async close() {
      // Closed before the abort, so that the queue assigns no job to a node that would not run it.
      const jobsEnded = jobQueue.close();
      stopping.abort(new Error("stopping"));
      streams.close();
      await Promise.all([builder.close(), jobsEnded, ...background]);
      const { client, outward, mail } = outgoing;
      await Promise.all([shared.close(), requests.stored(), client.close(), outward.close(), mail?.close()]);
      await database.close();
    },
  };
}

/** Opens the parts that build datasets, in this thread or another one. Building starts later. */
function openBuilding(
  options: ServiceOptions,
  database: OpenDatabase,
  { store, registry, requests, leases, watch }: StoredState,
  { announcements, queuePrefix }: SharedState,
) {
  const report = reportTo(options.log, () => announcements.announce({ kind: "snapshots" }));
  const builder = createBuilder(options, { database, store, runs: registry, requests, ...report });
  const building = datasetBuilding({
    options,
    queuePrefix,
    inThread: options.buildInThread === true,
    builder,
    store,
    registry,
    leases,
    clock: options.clock,
    report,
    onStoreFault: watch.note,
  });
  return { builder, building };
}

interface WakingParts extends Pick<StoredState, "requests"> {
  readonly services: ServiceOptions["services"];
  readonly building: Building;
  readonly streams: Streams;
  readonly alarms: LoopAlarms;
}

/** Returns the function that, for an announced change, wakes the polling loops that read this change. */
function wakingPolls({ services, requests, building, streams, alarms }: WakingParts) {
  return (announcement: Announcement): void => {
    if (announcement.kind === "snapshots") alarms.snapshots.ring();
    else if (announcement.kind === "request") {
      requests.learn(announcement.dataset, announcement.requestedAt);
      const dataset = services.allDatasets.find(({ name }) => name === announcement.dataset);
      if (dataset) building.tell(dataset, announcement.requestedAt);
    } else {
      if (announcement.kind === "written") alarms.access.ring();
      streams.wake();
      for (const alarm of alarms.jobs.values()) alarm.ring();
    }
  };
}

function openStoredAnswers(
  { config, kind, services, clock }: ServiceOptions,
  database: OpenDatabase,
  { registry, turns, storeParts: { settingOf, signer } }: StoredState,
): StoredAnswers {
  return storedAnswers({
    operations: services.operations,
    registry,
    revisions: revisionReader(database.db, turns),
    cursors: cursorsOf(signer),
    settingOf,
    simulated: kind === "demo",
    turns,
    clock,
    sharedBytesMax: (config.answerCacheMb * 1_000_000) / 8,
    ...storedExpressions(config, turns),
  });
}
