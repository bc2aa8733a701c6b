import { createHash, randomBytes as secureBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { existsSync } from "node:fs";
import { thinAuditLog } from "../access/audit-log.js";
import type { AnyDataset } from "../contract/product.js";
import { type ServiceCounts, serviceCounts } from "../contract/service-counter.js";
import { settingReader } from "../contract/setting.js";
import { bodyStore } from "../database/bodies.js";
import type { BudgetStore } from "../database/budgets.js";
import { datasetRequestStore } from "../database/dataset-requests.js";
import { type IdempotencyStore, idempotencyStore } from "../database/idempotency.js";
import { keyVault } from "../database/key-vault.js";
import { leases, newHolder } from "../database/leases.js";
import { migrateServices } from "../database/open.js";
import type { OpenDatabase } from "../database/open-database.js";
import { tightenFolder } from "../database/private-folder.js";
import { openLogs, type StoreLog, type StoreParts } from "../database/service-store.js";
import { signingKey } from "../database/signing-key.js";
import { STORE_CHECKED_EVERY_MS, type StoreWatch, storeWatch } from "../database/store-watch.js";
import { openStreams, type Streams } from "../http/streams/streams.js";
import { type ReadingOnDemand, readingOnDemand } from "../ingest/read-on-demand.js";
import { recordLostRun } from "../ingest/record-lost-run.js";
import { keepRetention } from "../ingest/retention-loop.js";
import type { Ingest } from "../ingest/scheduler.js";
import type { ReadingTools } from "../ingest/source-reading.js";
import { type Awaken, createAwaken } from "../ingest/waking.js";
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { LoopTurns } from "../kit/loop-turns.js";
import { systemRandom } from "../kit/random.js";
import { repeatedly } from "../kit/repeatedly.js";
import { type TokenSigner, tokenSigner } from "../kit/signed-token.js";
import type { Limiter } from "../limits/limiter.js";
import { memoryLimiter } from "../limits/memory-limiter.js";
import { watchedLimiter } from "../limits/watched-limiter.js";
import { REQUEST_SEEN_AFTER_MS, requestBoard } from "../snapshots/builds/request-board.js";
import { type Past, pastSnapshots } from "../snapshots/history/past-snapshots.js";
import { type SnapshotRegistry, snapshotRegistry } from "../snapshots/registry.js";
import { type SnapshotStore, snapshotStore } from "../snapshots/store.js";
import type { SharedObservations } from "../upstream/shared-observations.js";
import { type Access, openAccess } from "./access.js";
import { createBuilder, type FeedOptions, lazyClient } from "./builder.js";
import { type BuilderThread, type BuilderThreadParts, keepBuilderThread, type ThreadForm } from "./builder-thread.js";
import { type Config, configured } from "./config.js";
import type { Logger } from "./log.js";
import type { OpenRedis } from "./open-redis.js";
import { openStore, storeFailure } from "./open-store.js";
import { lazyOutward } from "./outward.js";
import { jobsOf, keepJob } from "./store-jobs.js";
import { version } from "./version.js";

/** Options for opening a store and feeding it. */
export interface ServiceOptions extends FeedOptions {
  readonly dataDir: string;
  readonly log: Logger;
  /** True to build datasets in a separate thread, so that no request waits for a decoder. Default: in this thread. */
  readonly buildInThread?: boolean;
  /** The code and limits of that thread, for tests. */
  readonly thread?: ThreadForm;
  /** Secure random bytes for ids. Default: those of the machine. */
  readonly randomBytes?: StoreParts["randomBytes"];
}

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
  /** Events that the stores of services have counted in this process. */
  readonly counts: ServiceCounts;
  /** Starts building datasets, watching other processes and thinning history. */
  start(): void;
  close(): Promise<void>;
}

/** Opens every part except HTTP. Throws an operator's error if the store is of the other kind. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { config, dataDir, log } = options;
  const location = {
    url: config.databaseUrl,
    dataDir,
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

/** Longest delay until another process's publish is seen. */
const SNAPSHOTS_SEEN_AFTER_MS = 2 * SECOND_MS;
/** Longest time that content may be unreadable before it is rebuilt. */
const UNREADABLE_SEEN_AFTER_MS = 20 * SECOND_MS;
/** Longest time that a key may still work after another process has revoked it. */
const ACCESS_SEEN_AFTER_MS = SECOND_MS / 2;

async function assemble(options: ServiceOptions, database: OpenDatabase): Promise<Service> {
  const { config, dataDir, kind, clock, log, services, randomBytes = secureBytes } = options;
  const vault = configured(() => keyVault({ secret: config.keySecret, dataDir }));
  // The key file belongs to one node. State that all nodes of a PostgreSQL store share is wrapped by a common secret.
  const sharedVault = database.dialect === "sqlite" || config.keySecret !== undefined ? vault : undefined;
  await migrateServices(database, services.stores);
  const settingOf = settingReader(config.texts);
  const counts = serviceCounts(services.counters);
  const { count } = counts;
  const signer = tokenSigner(await signingKey(database, sharedVault));
  const storeParts: StoreParts = {
    database,
    clock,
    randomBytes,
    settingOf,
    vault: sharedVault,
    signer,
    count,
    isSimulated: kind === "demo",
  };
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
  const onUnreadableKey = (error: Error): void => log.error({ err: error }, "a token key cannot be read");
  const access = await openAccess({ config, dataDir, kind, clock, vault, client, onUnreadableKey }, database);
  // With SQLite, the permissions of the folder were restricted before the file was opened.
  if (database.dialect === "postgres" && existsSync(dataDir)) await tightenFolder(dataDir);
  const bodies = bodyStore(database, dataDir, clock);
  const turns = new LoopTurns();
  const store = snapshotStore(database, bodies, turns);
  const held = leases(database, clock);
  const holder = newHolder();
  const idempotency = idempotencyStore(database, held, holder, clock);
  const watch = storeWatch({
    beat: () => idempotency.heartbeat(),
    folder: database.dialect === "sqlite" ? dataDir : undefined,
    clock,
    onTrouble: (error, failures) => log.warn({ err: error, failures }, "the store cannot be used"),
    onRecovery: () => log.info("the store can be used again"),
  });
  const storeFault = (error: unknown): void => watch.note(error);
  const jobFault = (job: string, error: unknown): void => {
    log.error({ job, err: error }, "a job failed");
    watch.note(error);
  };
  const requests = requestBoard(datasetRequestStore(database), services.allDatasets, clock, storeFault);
  const served = new Set(services.served);
  const registry = snapshotRegistry({
    store,
    datasets: services.allDatasets,
    clock,
    turns,
    report: (dataset, error) => log.error({ dataset, err: error }, "a stored snapshot cannot be read"),
    isAwake: (dataset) => requests.isAwake(dataset),
    isServed: (dataset) => served.has(dataset),
    earlierBytesMax: config.pastMb * 1_000_000,
  });
  await requests.refresh();
  await registry.refresh();

  await idempotency.heartbeat();
  const shared = await connectRedis(config.redisUrl, clock, log);
  const limiter = await openLimiter(shared);
  const builder = createBuilder(options, { database, store, runs: registry, requests, ...reportTo(log) });
  const onDemand = readingOnDemand({
    reading: builder.reading,
    clock,
    shared: await shareObservations(shared, clock, signer),
    onFailure: (key, cause) => log.warn({ key, err: cause }, "an on-demand read failed"),
  });
  const stopping = new AbortController();
  // Every loop adds a listener, and Node reports more than ten listeners as a leak.
  setMaxListeners(0, stopping.signal);
  const background: Promise<void>[] = [];

  let thread: BuilderThread | undefined;

  function keepBuilt(): void {
    if (!options.buildInThread) {
      builder.ingest.start();
      return;
    }
    const onLost = async (dataset: AnyDataset, error: string): Promise<void> => {
      await recordLostRun({ store, clock, random: systemRandom }, dataset, error);
      await registry.refresh();
    };
    const { thread: form } = options;
    const threadParts = { options, clock, signal: stopping.signal, onLost, thread: form, ...reportTo(log) };
    const onPublish = (): void => void registry.refresh().catch(storeFault);
    thread = keepBuilderThread({ ...threadParts, onPublish });
    background.push(thread.stopped);
  }

  /** Rebuilds every dataset whose stored content cannot be read. */
  async function rebuildUnreadable(): Promise<void> {
    for (const dataset of registry.unreadable()) {
      if (thread) thread.rebuild(dataset.name);
      else builder.ingest.rebuild(dataset);
    }
  }

  return {
    database,
    store,
    registry,
    past: pastSnapshots(store, registry, clock),
    turns,
    ingest: builder.ingest,
    reading: builder.reading,
    awaken: createAwaken({
      requests,
      registry,
      clock,
      onFault: storeFault,
      tell: (dataset, requestedAt) => thread?.tell(dataset.name, requestedAt),
      isBuilding: () => thread !== undefined || builder.ingest.isStarted,
    }),
    access,
    idempotency,
    limiter,
    onDemand,
    budgets: builder.budgets,
    watch,
    signer,
    storeParts,
    logs,
    streams,
    counts,
    start() {
      keepBuilt();
      const datasets = services.allDatasets;
      const retention = { database, bodies, leases: held, holder, clock, datasets, policy: policyOf(config) };
      background.push(
        repeatedly(registry.refresh, SNAPSHOTS_SEEN_AFTER_MS, clock, stopping.signal, storeFault),
        repeatedly(rebuildUnreadable, UNREADABLE_SEEN_AFTER_MS, clock, stopping.signal, storeFault),
        repeatedly(requests.refresh, REQUEST_SEEN_AFTER_MS, clock, stopping.signal, storeFault),
        repeatedly(access.credentials.refresh, ACCESS_SEEN_AFTER_MS, clock, stopping.signal, storeFault),
        repeatedly(() => thinAuditLog(database.db, clock.now()), HOUR_MS, clock, stopping.signal, storeFault),
        ...services.stores.flatMap(({ store }) => {
          const thin = async (): Promise<void> => store.thin?.(storeParts);
          const play = async (): Promise<void> => store.playDemo?.(storeParts);
          const thinning = repeatedly(thin, HOUR_MS, clock, stopping.signal, storeFault);
          if (kind !== "demo") return [thinning];
          const everyMinute = (): Promise<void> => repeatedly(play, MINUTE_MS, clock, stopping.signal, storeFault);
          return [thinning, play().catch(storeFault).then(everyMinute)];
        }),
        ...jobsOf(services, settingOf).map((job) =>
          keepJob(job, {
            store: storeParts,
            registry,
            logs: openLogs(logs, database.db),
            post: outward.post,
            onDemand,
            turns,
            signal: stopping.signal,
            onFault: jobFault,
          }),
        ),
        repeatedly(watch.check, STORE_CHECKED_EVERY_MS, clock, stopping.signal, storeFault),
        keepRetention(retention, stopping.signal, (error) =>
          log.error({ err: error }, "old generations could not be removed"),
        ),
      );
    },
    async close() {
      stopping.abort(new Error("stopping"));
      streams.close();
      await Promise.all([builder.close(), ...background]);
      await Promise.all([limiter.close(), requests.stored(), client.close(), outward.close()]);
      shared?.close();
      await database.close();
    },
  };
}

/** Logs runs and faults. */
function reportTo(log: Logger): Pick<BuilderThreadParts, "onRun" | "onFault"> {
  return {
    onRun: (dataset, { outcome, status, generation }) => {
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

function policyOf(config: Config) {
  return {
    wholeMs: config.retentionWholeDays * DAY_MS,
    dailyMs: config.retentionDailyDays * DAY_MS,
    bodyBytesMax: config.retentionDiskMb * 1_000_000,
  };
}

/** Counts limits in Redis for all nodes, or in memory for this one. */
async function openLimiter(shared: OpenRedis | undefined): Promise<Limiter> {
  if (shared === undefined) return memoryLimiter();
  const { redisLimiter } = await import("../limits/redis-limiter.js");
  return watchedLimiter(redisLimiter(shared.redis, "vigil:limit:"), shared.watch);
}

/** Shares observations at request time between the nodes of this store that run the same version. */
async function shareObservations(
  shared: OpenRedis | undefined,
  clock: Clock,
  signer: TokenSigner,
): Promise<SharedObservations | undefined> {
  if (shared === undefined) return undefined;
  const { redisObservations } = await import("./redis-observations.js");
  const { redis, watch } = shared;
  // Signed with the store's key: nodes of other stores cannot read it, and the key does not reveal the query.
  const digestOf = (key: string): string =>
    createHash("sha256")
      .update(signer.sign("observation", key, version))
      .digest("base64url");
  return redisObservations({ redis, watch, prefix: "vigil:observation:", clock, digestOf });
}

/** Loads the Redis client only if a Redis is configured. */
async function connectRedis(redisUrl: string | undefined, clock: Clock, log: Logger): Promise<OpenRedis | undefined> {
  if (redisUrl === undefined) return undefined;
  const { openRedis } = await import("./open-redis.js");
  return await openRedis(redisUrl, clock, log);
}
