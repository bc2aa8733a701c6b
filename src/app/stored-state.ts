import { existsSync } from "node:fs";
import type { ServiceCounts } from "../contract/service-counter.js";
import { type BodyStore, bodyStore } from "../database/bodies.js";
import { datasetRequestStore } from "../database/dataset-requests.js";
import { type IdempotencyStore, idempotencyStore } from "../database/idempotency.js";
import { type Leases, leases, newHolder } from "../database/leases.js";
import type { OpenDatabase } from "../database/open-database.js";
import { tightenFolder } from "../database/private-folder.js";
import type { StoreParts } from "../database/service-store.js";
import { type StoreWatch, storeWatch } from "../database/store-watch.js";
import { LoopTurns } from "../kit/loop-turns.js";
import { type RequestBoard, requestBoard } from "../snapshots/builds/request-board.js";
import { type SnapshotRegistry, snapshotRegistry } from "../snapshots/registry.js";
import { type SnapshotStore, snapshotStore } from "../snapshots/store.js";

import type { UpstreamClient } from "../upstream/answer.js";
import { type Access, openAccess } from "./access.js";
import type { ServiceOptions } from "./service-options.js";
import { openStoreParts } from "./store-parts.js";

/** The parts of a service whose state is in the store. */
export interface StoredState {
  /** The parts of this process that the stores of services may use. */
  readonly storeParts: StoreParts;
  /** Counts of the events that the stores of services have reported in this process. */
  readonly counts: ServiceCounts;
  readonly access: Access;
  readonly bodies: BodyStore;
  readonly store: SnapshotStore;
  readonly registry: SnapshotRegistry;
  /** Divides the event loop among all parts that do long work in slices. */
  readonly turns: LoopTurns;
  /** Tracks which datasets are awake because of recent requests. */
  readonly requests: RequestBoard;
  readonly leases: Leases;
  /** Name under which this process holds leases. */
  readonly holder: string;
  readonly idempotency: IdempotencyStore;
  /** Tracks whether the store accepts writes. */
  readonly watch: StoreWatch;
}

/** Opens the parts in the order of their dependencies, and loads the latest snapshots. */
export async function openStoredState(
  options: ServiceOptions,
  database: OpenDatabase,
  client: UpstreamClient,
): Promise<StoredState> {
  const { config, dataDir, kind, clock, log, services } = options;
  const { storeParts, vault, counts } = await openStoreParts(options, database);
  const onUnreadableKey = (error: Error): void => log.error({ err: error }, "a token key cannot be read");
  const access = await openAccess({ config, dataDir, kind, clock, vault, client, onUnreadableKey }, database);
  // Only for PostgreSQL: with SQLite, the folder's permissions were restricted before the database file was opened.
  if (database.dialect === "postgres" && existsSync(dataDir)) await tightenFolder(dataDir);
  const bodies = bodyStore(database, dataDir, clock);
  const turns = new LoopTurns();
  const store = snapshotStore(database, bodies, turns);
  const held = leases(database, clock);
  const holder = options.holder ?? newHolder();
  const idempotency = idempotencyStore(database, held, holder, clock);
  const watch = watchStore(options, database, idempotency);
  const requests = requestBoard(datasetRequestStore(database), services.allDatasets, clock, watch.note);
  const registry = openRegistry(options, { store, turns, requests });
  await requests.refresh();
  await registry.refresh();
  await idempotency.heartbeat();
  return {
    storeParts,
    counts,
    access,
    bodies,
    store,
    registry,
    turns,
    requests,
    leases: held,
    holder,
    idempotency,
    watch,
  };
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

function openRegistry(
  { config, services, clock, log }: ServiceOptions,
  { store, turns, requests }: Pick<StoredState, "store" | "turns" | "requests">,
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
