import { type Authenticator, authenticator } from "./access/authenticator.js";
import { parseEnterpriseKeys } from "./access/enterprise-keys.js";
import { ensureOwnerKey, type OwnerKey, ownerKeyHashes } from "./access/owner-key.js";
import { createBuilder, type FeedOptions } from "./builder.js";
import { type BuilderThreadParts, keepBuilderThread } from "./builder-thread.js";
import type { Config } from "./config.js";
import { bodyStore } from "./database/bodies.js";
import { leases, newHolder } from "./database/leases.js";
import { type OpenDatabase, openDatabase } from "./database/open.js";
import { signingKey } from "./database/signing-key.js";
import { claimStore } from "./database/store-mark.js";
import type { ReadingTools } from "./ingest/read-source.js";
import { keepRetention } from "./ingest/retention-loop.js";
import type { Ingest } from "./ingest/scheduler.js";
import { DAY_MS } from "./kit/clock.js";
import { LoopTurns } from "./kit/loop-turns.js";
import { type TokenSigner, tokenSigner } from "./kit/signed-token.js";
import type { Logger } from "./log.js";
import { followStore } from "./snapshots/follow.js";
import { type SnapshotRegistry, snapshotRegistry } from "./snapshots/registry.js";
import { type SnapshotStore, snapshotStore } from "./snapshots/store.js";

/** What decides how a store is opened and who feeds it. */
export interface ServiceOptions extends FeedOptions {
  readonly dataDir: string;
  readonly log: Logger;
  /** Keeps datasets built in a thread of its own, so that no request waits for a decoder. Default: in this thread. */
  readonly buildInThread?: boolean;
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

  const builder = createBuilder(options, { database, store, runs: registry, ...reportTo(log) });
  let hashes = ownerKey.hashes;
  const stopping = new AbortController();
  const background: Promise<void>[] = [];

  async function refresh(): Promise<void> {
    await registry.refresh();
    const current = await ownerKeyHashes(database);
    // The same set while nothing changed: whoever remembers good keys forgets them with a new one.
    if (current.size !== hashes.size || [...current].some((hash) => !hashes.has(hash))) hashes = current;
  }

  const storeFault = (error: unknown): void => log.warn({ err: error }, "the store could not be read");

  function keepBuilt(): void {
    if (!options.buildInThread) {
      builder.ingest.start();
      return;
    }
    const thread = { options, clock, signal: stopping.signal, ...reportTo(log) };
    const onPublish = (): void => void registry.refresh().catch(storeFault);
    background.push(keepBuilderThread({ ...thread, onPublish }));
  }

  return {
    database,
    store,
    registry,
    turns,
    ingest: builder.ingest,
    reading: builder.reading,
    ownerKey,
    signer: tokenSigner(await signingKey(database)),
    authenticator: authenticator({ enterpriseKeys, ownerKeyHashes: () => hashes }),
    start() {
      keepBuilt();
      const { datasets } = services;
      const held = { leases: leases(database, clock), holder: newHolder() };
      const retention = { database, bodies, ...held, clock, datasets, policy: policyOf(config) };
      background.push(
        followStore(refresh, clock, stopping.signal, storeFault),
        keepRetention(retention, stopping.signal, (error) =>
          log.error({ err: error }, "old generations could not be removed"),
        ),
      );
    },
    async close() {
      stopping.abort(new Error("stopping"));
      await Promise.all([builder.close(), ...background]);
      await database.close();
    },
  };
}

/** What the log says of runs. */
function reportTo(log: Logger): Pick<BuilderThreadParts, "onRun" | "onFault"> {
  return {
    onRun: (dataset, { outcome, status, generation }) => {
      const fields = { dataset: dataset.name, outcome, generation: generation?.generation ?? 0 };
      if (status.error === null) log.info(fields, "dataset run");
      else log.warn({ ...fields, error: status.error }, "dataset run");
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
