import { setMaxListeners } from "node:events";
import { existsSync } from "node:fs";
import { datasetTimeline } from "../contract/dataset-log.js";
import type { ServiceCounts } from "../contract/service-counter.js";
import type { StoredAnswers } from "../contract/stored-answers.js";
import { bodyStore } from "../database/bodies.js";
import type { BudgetStore } from "../database/budgets.js";
import { datasetRequestStore } from "../database/dataset-requests.js";
import { type IdempotencyStore, idempotencyStore } from "../database/idempotency.js";
import { leases, newHolder } from "../database/leases.js";
import type { OpenDatabase } from "../database/open-database.js";
import { tightenFolder } from "../database/private-folder.js";
import { openLogs, openPort, type StoreLog, type StoreParts } from "../database/service-store.js";
import { type StoreWatch, storeWatch } from "../database/store-watch.js";
import { storedAnswers } from "../http/data-answer/stored-answers.js";
import { cursorsOf } from "../http/paging.js";
import { openStreams, type Streams } from "../http/streams/streams.js";
import { type ReadingOnDemand, readingOnDemand } from "../ingest/read-on-demand.js";
import type { Ingest } from "../ingest/scheduler.js";
import type { ReadingTools } from "../ingest/source-reading.js";
import { type Awaken, createAwaken } from "../ingest/waking.js";
import { LoopTurns } from "../kit/loop-turns.js";
import { systemRandom } from "../kit/random.js";
import type { TokenSigner } from "../kit/signed-token.js";
import type { Limiter } from "../limits/limiter.js";
import { type RequestBoard, requestBoard } from "../snapshots/builds/request-board.js";
import { type Past, pastSnapshots } from "../snapshots/history/past-snapshots.js";
import { revisionReader } from "../snapshots/history/revision-reader.js";
import { type SnapshotRegistry, snapshotRegistry } from "../snapshots/registry.js";
import { type SnapshotStore, snapshotStore } from "../snapshots/store.js";
import { type Access, openAccess } from "./access.js";
import type { Announcement } from "./announcements.js";
import { backgroundLoops, loopAlarms } from "./background-loops.js";
import { createBuilder, lazyClient } from "./builder.js";
import { datasetBuilding, reportTo } from "./building.js";
import { lazyMail } from "./mail.js";
import { openStore, storeFailure } from "./open-store.js";
import { lazyOutward } from "./outward.js";
import type { ServiceOptions } from "./service-options.js";
import { openSharedState } from "./shared-state.js";
import type { JobParts } from "./store-jobs.js";
import { storeLocation } from "./store-location.js";
import { openStoreParts } from "./store-parts.js";
import { storedExpressions } from "./stored-expressions.js";

/** An open store with its snapshots in memory and the ingest that updates them, ready to serve. */
export interface Service {
  readonly database: OpenDatabase;
  readonly store: SnapshotStore;
  readonly registry: SnapshotRegistry;
  /** Snapshots of the past. */
  readonly past: Past;
  readonly ingest: Ingest;
  readonly reading: ReadingTools;
  /** Wakes a dataset that is built only while it is in demand. Called by each request that reads such a dataset. */
  readonly awaken: Awaken;
  readonly access: Access;
  readonly idempotency: IdempotencyStore;
  readonly limiter: Limiter;
  /** Upstream reads at request time and of jobs, through one cache. */
  readonly onDemand: ReadingOnDemand;
  /** Budgets for upstreams that charge by the call. */
  readonly budgets: BudgetStore;
  /** Shared by all parts that work in slices of the event loop. */
  readonly turns: LoopTurns;
  /** Tracks whether the store accepts writes. */
  readonly watch: StoreWatch;
  /** Signs cursors, the same on every node of this store. */
  readonly signer: TokenSigner;
  /** The parts of this process that the stores of services may use. */
  readonly storeParts: StoreParts;
  /** The change logs of all services. */
  readonly logs: readonly StoreLog[];
  /** The open streams of this process. */
  readonly streams: Streams;
  /** The parts of this process that jobs of services use. */
  readonly jobParts: JobParts;
  /** Events that the stores of services have counted in this process. */
  readonly counts: ServiceCounts;
  /** Tells the other processes about a change in the store. */
  announce(announcement: Announcement): void;
  /** Tells this and the other processes that a call has written to the store. */
  noteWrite(): void;
  /** Starts watching other processes and, unless the process only answers calls, building datasets and running jobs. */
  start(): void;
  close(): Promise<void>;
}

/** Opens every part except HTTP. Throws an operator's error if the store is of the other kind. */
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
  const { config, dataDir, kind, clock, log, services } = options;
  const { storeParts, vault, counts } = await openStoreParts(options, database);
  const { signer } = storeParts;
  const logs = services.stores.flatMap(({ store }) => store.logs?.(storeParts) ?? []);
  const streams = openStreams({
    logs: openLogs(logs, database.db),
    clock,
    random: systemRandom,
    perAccountMax: config.streamsPerAccount,
    onFault: (error) => log.error({ err: error }, "a stream failed"),
  });
  const client = lazyClient(options);
  const outward = lazyOutward(options);
  const mail = lazyMail(options);
  const onUnreadableKey = (error: Error): void => log.error({ err: error }, "a token key cannot be read");
  const access = await openAccess({ config, dataDir, kind, clock, vault, client, onUnreadableKey }, database);
  // With SQLite, the folder's permissions were restricted before the file was opened.
  if (database.dialect === "postgres" && existsSync(dataDir)) await tightenFolder(dataDir);
  const bodies = bodyStore(database, dataDir, clock);
  const turns = new LoopTurns();
  const store = snapshotStore(database, bodies, turns);
  const held = leases(database, clock);
  const holder = options.holder ?? newHolder();
  const idempotency = idempotencyStore(database, held, holder, clock);
  const watch = watchStore(options, database, idempotency);
  const onStoreFault = (error: unknown): void => watch.note(error);
  const requests = requestBoard(datasetRequestStore(database), services.allDatasets, clock, onStoreFault);
  const registry = openRegistry(options, { store, turns, requests });
  await requests.refresh();
  await registry.refresh();

  await idempotency.heartbeat();
  const { redisUrl } = config;
  const shared = await openSharedState({ redisUrl, clock, log, signer, siblings: options.siblings });
  const { announcements } = shared;
  const report = reportTo(log, () => announcements.announce({ kind: "snapshots" }));
  const builder = createBuilder(options, { database, store, runs: registry, requests, ...report });
  const onDemand = readingOnDemand({
    reading: builder.reading,
    clock,
    shared: shared.observations,
    onFailure: (key, cause) => log.warn({ key, err: cause }, "an on-demand read failed"),
  });
  const inThread = options.buildInThread === true;
  const building = datasetBuilding({
    options,
    inThread,
    builder,
    store,
    registry,
    leases: held,
    clock,
    report,
    onStoreFault,
  });
  const stopping = new AbortController();
  // Every loop adds a listener, and Node reports more than ten listeners as a leak.
  setMaxListeners(0, stopping.signal);
  const background: Promise<void>[] = [];
  const jobParts: JobParts = {
    noteChanges() {
      wakeUp({ kind: "changes" });
      announcements.announce({ kind: "changes" });
    },
    store: storeParts,
    registry,
    logs: openLogs(logs, database.db),
    post: outward.post,
    mail,
    onDemand,
    answers: openStoredAnswers(options, { database, registry, turns, storeParts }),
    timeline: openPort(datasetTimeline, services.stores, storeParts),
    turns,
  };
  const service = { registry, access, watch, storeParts, jobParts };
  const alarms = loopAlarms();

  /** Wakes the polls that find the announced change. */
  function wakeUp(announcement: Announcement): void {
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
  }

  return {
    ...service,
    logs,
    onDemand,
    turns,
    database,
    store,
    past: pastSnapshots(store, registry, clock),
    ingest: builder.ingest,
    reading: builder.reading,
    awaken: createAwaken({
      requests,
      registry,
      clock,
      onFault: onStoreFault,
      tell(dataset, requestedAt) {
        building.tell(dataset, requestedAt);
        announcements.announce({ kind: "request", dataset: dataset.name, requestedAt });
      },
      // The datasets of an API node are built by other processes.
      isBuilding: () => config.role === "api" || building.isStarted,
    }),
    idempotency,
    limiter: shared.limiter,
    budgets: builder.budgets,
    signer,
    streams,
    counts,
    announce: announcements.announce,
    noteWrite() {
      wakeUp({ kind: "written" });
      announcements.announce({ kind: "written" });
    },
    start() {
      announcements.listen(wakeUp);
      const loops = { ...service, options, building, requests, bodies, leases: held, holder, alarms };
      if (config.role !== "api") background.push(building.start(stopping.signal));
      background.push(...backgroundLoops(loops, stopping.signal));
    },
    async close() {
      stopping.abort(new Error("stopping"));
      streams.close();
      await Promise.all([builder.close(), ...background]);
      await Promise.all([shared.close(), requests.stored(), client.close(), outward.close(), mail?.close()]);
      await database.close();
    },
  };
}

interface AnswerTools extends Pick<Service, "database" | "registry" | "turns"> {
  readonly storeParts: StoreParts;
}

function openStoredAnswers(
  { config, kind, services, clock }: ServiceOptions,
  { database, registry, turns, storeParts: { settingOf, signer } }: AnswerTools,
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

function watchStore({ dataDir, clock, log }: ServiceOptions, database: OpenDatabase, idempotency: IdempotencyStore) {
  return storeWatch({
    beat: () => idempotency.heartbeat(),
    folder: database.dialect === "sqlite" ? dataDir : undefined,
    clock,
    onTrouble: (error, failures) => log.warn({ err: error, failures }, "the store cannot be used"),
    onRecovery: () => log.info("the store can be used again"),
  });
}

interface RegistryTools {
  readonly store: SnapshotStore;
  readonly turns: LoopTurns;
  readonly requests: RequestBoard;
}

function openRegistry(
  { config, services, clock, log }: ServiceOptions,
  { store, turns, requests }: RegistryTools,
): SnapshotRegistry {
  const served = new Set(services.served);
  return snapshotRegistry({
    store,
    datasets: services.allDatasets,
    clock,
    turns,
    report: (dataset, error) => log.error({ dataset, err: error }, "a stored snapshot cannot be read"),
    isAwake: (dataset) => requests.isAwake(dataset),
    isServed: (dataset) => served.has(dataset),
    earlierBytesMax: config.pastMb * 1_000_000,
  });
}
