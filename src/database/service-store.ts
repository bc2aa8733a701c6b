import type { Kysely, Migration } from "kysely";
import type { Principal } from "../contract/access/principal.js";
import type { ChangeLog, LogReader, OpenLog } from "../contract/change-log.js";
import type { ViewOf } from "../contract/dataset.js";
import type { DatasetTimeline } from "../contract/dataset-log.js";
import type { Mail } from "../contract/mail.js";
import type { AnyOnDemand, Observation, OnDemandRead } from "../contract/on-demand.js";
import type { PostOutward } from "../contract/outward.js";
import type { Port } from "../contract/port.js";
import type { AnyDataset } from "../contract/product.js";
import type { ServiceCounts } from "../contract/service-counter.js";
import type { ReadSetting } from "../contract/setting.js";
import type { DatasetStanding, Snapshot } from "../contract/snapshot.js";
import type { StoredAnswers } from "../contract/stored-answers.js";
import type { Clock } from "../kit/clock.js";
import type { LoopTurns } from "../kit/loop-turns.js";
import type { TokenSigner } from "../kit/signed-token.js";
import type { KeyVault } from "./key-vault.js";
import type { Dialect, OpenDatabase } from "./open-database.js";
import type { Database } from "./schema.js";

/** The call for which a port is opened. */
export interface StoreCall {
  /** Undefined for a call that needs no credential, and for internal use. */
  readonly principal: Principal | undefined;
  /** Name of the caller in the audit log. */
  readonly actor: string;
  /** The caller's address; empty for internal use. */
  readonly address: string;
  /** The database to use. In a write with `isTransaction`, this is the transaction of the write. */
  readonly db: Kysely<Database>;
}

/** The parts of the process that a service's store may use. */
export interface StoreParts {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  /** Secure random bytes. */
  readonly randomBytes: (count: number) => Buffer;
  readonly settingOf: ReadSetting;
  /** Returns false if every source of an on-demand read lacks a key or is switched off. */
  isConfigured(read: AnyOnDemand<never>): boolean;
  /**
   * Encrypts stored secrets so that every node can decrypt them; undefined with PostgreSQL if `VIGIL_KEY_SECRET` is not
   * set.
   */
  readonly vault: KeyVault | undefined;
  /** Signs cursors that are valid on every node and do not expire. */
  readonly signer: TokenSigner;
  /** Increments one of the `counters` that the service group declares. */
  readonly count: ServiceCounts["count"];
  /** True for the store of a demo. */
  readonly isSimulated: boolean;
}

/** One port with its opener. */
export interface StorePort {
  readonly port: Port<unknown>;
  open(call: StoreCall): unknown;
}

/** Pairs a port with its opener; the compiler checks the type of the opened value. */
export function storePort<T>(port: Port<T>, open: (call: StoreCall) => T): StorePort {
  return { port, open };
}

/**
 * Opens the port of a service for internal use, on behalf of no caller and outside any transaction. Throws if no
 * service provides the port.
 */
export function openPort<T>(port: Port<T>, stores: readonly RegisteredStore[], parts: StoreParts): T {
  const provider = stores.flatMap(({ store }) => store.ports(parts)).find((candidate) => candidate.port === port);
  if (provider === undefined) throw new Error(`no store provides the port ${port.name}`);
  const call = { principal: undefined, actor: "job", address: "", db: parts.database.db };
  // The cast is safe, because `storePort` requires that the opened value has the type of the port.
  return provider.open(call) as T;
}

/** A change log over the tables of a service, with its opener. */
export interface StoreLog {
  readonly log: ChangeLog;
  /** Opens the log on `db`, which is the transaction if a write opens the log, otherwise the database. */
  open(db: Kysely<Database>): LogReader;
}

/** Opens all logs on one database or transaction. */
export function openLogs(logs: readonly StoreLog[], db: Kysely<Database>): readonly OpenLog[] {
  return logs.map(({ log, open }) => ({ log, reader: open(db) }));
}

/** The datasets that a job reads, by the names that its `run` gives them. */
export type JobReads = Readonly<Record<string, AnyDataset>>;

/** The inputs of a run besides the store. */
export interface JobContext<R extends JobReads> {
  /** The snapshots at the start of the run. */
  readonly snapshots: { readonly [K in keyof R]: Snapshot<ViewOf<R[K]>> };
  /** Reads an upstream that the job declares in `fetches`, through the cache that all callers share. */
  observe<Query, Stored>(read: OnDemandRead<Query, Stored>, query: Query): Promise<Observation<readonly Stored[]>>;
  /** The logs of all services. */
  readonly logs: readonly OpenLog[];
  /** Sends a POST to an address that an account has chosen. */
  readonly post: PostOutward;
  /** Undefined while no SMTP server is configured. */
  readonly mail: Mail | undefined;
  /** Runs operations over stored generations. */
  readonly answers: StoredAnswers;
  /** The log of datasets. */
  readonly timeline: DatasetTimeline;
  /** Returns the standing of every dataset that is always built or was requested recently. */
  standings(): readonly DatasetStanding[];
  /** Runs long work in slices, with turns of the event loop between them. */
  readonly turns: LoopTurns;
  /**
   * Call this after the run has added entries to a change log or a queue. It notifies the jobs and streams that follow
   * logs and queues, in all processes.
   */
  noteChanges(): void;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
}

/**
 * Repeated work of a service on its tables, outside of calls. Several nodes may run the job at the same time, so the
 * job must claim the rows that it works on, with row locks or with leases (locks in the database that expire). The job
 * does not run while its group is switched off.
 */
export interface StoreJob<R extends JobReads = JobReads> {
  readonly name: string;
  /** Longest time between two runs. A new generation of a dataset that the job reads starts the next run sooner. */
  readonly everyMs: number;
  readonly reads: R;
  readonly fetches?: readonly AnyOnDemand<never>[];
  /** True to run at once when a change log or a queue has new entries. */
  readonly followsChanges?: true;
  /**
   * True to start the job on every node that ingests, instead of taking its runs from the shared queue. Set this for a
   * job that holds a lease between runs, so that only the node with the lease does the work, or that keeps its progress
   * in the memory of the node.
   */
  readonly onEachNode?: true;
  run(parts: StoreParts, context: JobContext<R>): Promise<void>;
}

/** Declares a job, whose datasets and `run` must have matching types. */
export function storeJob<const R extends JobReads>(definition: StoreJob<R>): StoreJob<R> {
  return definition;
}

/** The tables of one service group and the ports over them. */
export interface ServiceStore {
  /** Migrations in order of their names; a released migration never changes. */
  migrations(dialect: Dialect): Readonly<Record<string, Migration>>;
  ports(parts: StoreParts): readonly StorePort[];
  logs?(parts: StoreParts): readonly StoreLog[];
  /** Figures of the whole store for health, metrics and `vigil doctor`, by name. Must not read many rows. */
  figures?(parts: Pick<StoreParts, "database" | "clock">): Promise<Readonly<Record<string, number>>>;
  readonly jobs?: readonly StoreJob[];
  /**
   * Plays one step of the script that fills the tables of a demo. Called at the start of the demo and then every
   * minute.
   */
  playDemo?(parts: StoreParts): Promise<void>;
  /** Removes rows whose retention has ended. Called every hour on each node that ingests. */
  thin?(parts: StoreParts): Promise<void>;
}

const declared = new WeakSet<object>();

/** Declares the store of a service group; `services/<group>/store/store.ts` exports it. */
export function serviceStore(definition: ServiceStore): ServiceStore {
  declared.add(definition);
  return definition;
}

/** True for values made by `serviceStore()`. */
export function isServiceStore(value: unknown): value is ServiceStore {
  return typeof value === "object" && value !== null && declared.has(value);
}

/** A store with the name of the folder that declares it. */
export interface RegisteredStore {
  readonly service: string;
  readonly store: ServiceStore;
}
