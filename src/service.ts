import { readFileSync } from "node:fs";
import { type Authenticator, authenticator } from "./access/authenticator.js";
import { parseEnterpriseKeys } from "./access/enterprise-keys.js";
import { ensureOwnerKey, type OwnerKey, ownerKeyHashes } from "./access/owner-key.js";
import type { Config } from "./config.js";
import type { AnySource } from "./contract/source.js";
import { bodyStore } from "./database/bodies.js";
import { leases, newHolder } from "./database/leases.js";
import { type OpenDatabase, openDatabase } from "./database/open.js";
import { signingKey } from "./database/signing-key.js";
import { claimStore, type StoreKind } from "./database/store-mark.js";
import type { ReadingTools } from "./ingest/read-source.js";
import { keepRetention } from "./ingest/retention-loop.js";
import { runDataset } from "./ingest/run-dataset.js";
import { createIngest, type Ingest, type IngestParts } from "./ingest/scheduler.js";
import { type Clock, DAY_MS } from "./kit/clock.js";
import { LoopTurns } from "./kit/loop-turns.js";
import { systemRandom } from "./kit/random.js";
import { type TokenSigner, tokenSigner } from "./kit/signed-token.js";
import type { Logger } from "./log.js";
import type { Services } from "./services/registry.js";
import { followStore } from "./snapshots/follow.js";
import { type SnapshotRegistry, snapshotRegistry } from "./snapshots/registry.js";
import { type SnapshotStore, snapshotStore } from "./snapshots/store.js";
import type { UpstreamClient } from "./upstream/answer.js";
import { version } from "./version.js";

/** What decides how a store is opened and who feeds it. */
export interface ServiceOptions {
  readonly config: Config;
  readonly dataDir: string;
  readonly kind: StoreKind;
  readonly services: Services;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where upstreams are asked instead of their own addresses. */
  readonly upstreamBase: string | undefined;
  /** False only for recorded payloads, which are fragments. */
  readonly gated: boolean;
}

/** An open store with its snapshots in memory and the ingest that keeps them, ready to be served. */
export interface Service {
  readonly database: OpenDatabase;
  readonly store: SnapshotStore;
  readonly registry: SnapshotRegistry;
  readonly ingest: Ingest;
  readonly reading: ReadingTools;
  readonly ownerKey: OwnerKey;
  readonly authenticator: Authenticator;
  /** Shared by everything here that works in slices of the event loop. */
  readonly turns: LoopTurns;
  /** Signs cursors, the same on every node of this store. */
  readonly signer: TokenSigner;
  /** Begins building, following other processes and thinning history. */
  start(): void;
  close(): Promise<void>;
}

/** Opens everything but the HTTP side. Throws with a plain sentence when the store is of the other kind. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { config, dataDir, log } = options;
  const database = await openDatabase({
    url: config.databaseUrl,
    dataDir,
    onConnectionError: (error) => log.warn({ err: error }, "a PostgreSQL connection was lost"),
  });
  try {
    await claimStore(database, options.kind);
    return await assemble(options, database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function assemble(options: ServiceOptions, database: OpenDatabase): Promise<Service> {
  const { config, dataDir, kind, clock, log, services } = options;
  const enterpriseKeys = parseEnterpriseKeys(config.enterpriseKeys);
  const ownerKey = await ensureOwnerKey(database, dataDir, kind === "demo" ? "vgl_demo_" : "vgl_", clock.now());
  const bodies = bodyStore(database, dataDir, clock);
  const turns = new LoopTurns();
  const store = snapshotStore(database, bodies, turns);
  const registry = snapshotRegistry(store, services.datasets, clock, (dataset, error) =>
    log.error({ dataset, err: error }, "a stored snapshot cannot be read"),
  );
  await registry.refresh();

  const client = lazyClient(options);
  const reading = readingTools(options, client);
  const held = leases(database, clock);
  const holder = newHolder();
  const ingest = createIngest({
    clock,
    leases: held,
    holder,
    registry,
    run: (dataset, run) =>
      runDataset({ ...reading, store, random: systemRandom }, dataset, { ...run, gated: options.gated }),
    ...reportTo(log),
  });
  let hashes = ownerKey.hashes;
  const stopping = new AbortController();
  const background: Promise<void>[] = [];

  async function refresh(): Promise<void> {
    await registry.refresh();
    const current = await ownerKeyHashes(database);
    // The same set while nothing changed: whoever remembers good keys forgets them with a new one.
    if (current.size !== hashes.size || [...current].some((hash) => !hashes.has(hash))) hashes = current;
  }

  return {
    database,
    store,
    registry,
    turns,
    ingest,
    reading,
    ownerKey,
    signer: tokenSigner(await signingKey(database)),
    authenticator: authenticator({ enterpriseKeys, ownerKeyHashes: () => hashes }),
    start() {
      ingest.start();
      const { datasets } = services;
      const retention = { database, bodies, leases: held, holder, clock, datasets, policy: policyOf(config) };
      background.push(
        followStore(refresh, clock, stopping.signal, (error) =>
          log.warn({ err: error }, "the store could not be read"),
        ),
        keepRetention(retention, stopping.signal, (error) =>
          log.error({ err: error }, "old generations could not be removed"),
        ),
      );
    },
    async close() {
      stopping.abort(new Error("stopping"));
      await ingest.stop();
      await Promise.all(background);
      await client.close();
      await database.close();
    },
  };
}

/** What the log says of runs. */
function reportTo(log: Logger): Pick<IngestParts, "onRun" | "onFault"> {
  return {
    onRun: (dataset, { outcome, status, generation }) => {
      const fields = { dataset: dataset.name, outcome, generation: generation?.generation ?? 0 };
      if (status.error === null) log.info(fields, "dataset run");
      else log.warn({ ...fields, error: status.error }, "dataset run");
    },
    onFault: (dataset, error) => log.error({ dataset: dataset.name, err: error }, "a dataset run met a fault"),
  };
}

function policyOf(config: Config) {
  return {
    wholeMs: config.retentionWholeDays * DAY_MS,
    dailyMs: config.retentionDailyDays * DAY_MS,
    bodyBytesMax: config.retentionDiskMb * 1_000_000,
  };
}

/** The client, made when it is first needed: what it is built from takes longer to load than the rest to start. */
function lazyClient(options: ServiceOptions): UpstreamClient {
  let made: Promise<UpstreamClient> | undefined;
  return {
    async fetch(request, call) {
      made ??= upstreamClient(options);
      return (await made).fetch(request, call);
    },
    close: async () => (await made)?.close(),
  };
}

async function upstreamClient({ config, kind, clock, upstreamBase }: ServiceOptions): Promise<UpstreamClient> {
  const { createUpstreamClient } = await import("./upstream/client.js");
  const contact = config.userAgentContact === undefined ? "" : ` (${config.userAgentContact})`;
  const proxy = {
    ...(config.httpProxy !== undefined && { http: config.httpProxy }),
    ...(config.httpsProxy !== undefined && { https: config.httpsProxy }),
    ...(config.noProxy !== undefined && { noProxy: config.noProxy }),
  };
  return createUpstreamClient({
    clock,
    userAgent: `vigil/${version}${contact}`,
    acceptSimulated: kind === "demo",
    allowPrivate: config.upstreamPrivate,
    proxy,
    ...(upstreamBase !== undefined && { rewriteBase: upstreamBase }),
    ...(config.extraCaFile !== undefined && { extraCa: readFileSync(config.extraCaFile, "utf8") }),
  });
}

function readingTools({ config, services, clock }: ServiceOptions, client: ReadingTools["client"]): ReadingTools {
  return {
    clock,
    client,
    // Decoders and the schema compiler are loaded by the first run, not by the start.
    async readRows(source, request, bytes, contentType) {
      const { readRows } = await import("./ingest/read-rows.js");
      return readRows(source, request, bytes, contentType);
    },
    credentials: credentialsOf(services.sources, config.given),
    openLicencesOnly: config.licenceMode === "open",
    version,
  };
}

/** Only the settings that some source names; nothing else of the environment reaches a source. */
function credentialsOf(
  sources: readonly AnySource[],
  given: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const variables = sources.flatMap((source) => source.credentials.map(({ variable }) => variable));
  return Object.fromEntries(variables.map((variable) => [variable, given[variable]]));
}
