import type { Static, TSchema } from "typebox";
import type { ViewOf } from "./dataset.js";
import type { Deprecation } from "./deprecation.js";
import type { AnyOnDemand, ObservedBy } from "./on-demand.js";
import type { Page, Rows } from "./paging.js";
import type { AnyDataset } from "./product.js";
import type { QueryFields, QueryOf } from "./query-field.js";
import type { RowListOf } from "./row-list.js";
import type { RowTally } from "./row-tally.js";
import type { DailyQuota } from "./service-group.js";
import type { ReadSetting, Setting } from "./setting.js";
import type { Snapshot } from "./snapshot.js";

/** The cache tier of public answers; `cache-policy.ts` has the lifetimes of each. */
export type CacheTier = "fast" | "medium" | "slow" | "static" | "daily" | "no-store";

export type Reads = Readonly<Record<string, AnyDataset>>;
export type Fetches<Query = never> = Readonly<Record<string, AnyOnDemand<Query>>>;

export type SnapshotsOf<R> = { readonly [K in keyof R]: Snapshot<ViewOf<R[K]>> };
export type ObservationsOf<F> = { readonly [K in keyof F]: ObservedBy<F[K]> };

/** The inputs of an operation besides query and snapshots: its on-demand reads, its settings and the clock. */
export interface RunContext<F> {
  readonly observations: ObservationsOf<F>;
  /** True if upstreams are simulated and observations therefore invented. */
  readonly simulated: boolean;
  /** Returns the value of one of the operation's own settings. */
  readonly settingOf: ReadSetting;
  /** Now, epoch ms. Only for operations that declare `validUntil`. */
  now(): number;
  /** Returns the requested page of a list. Only for operations whose query has the `pageFields`. */
  paginate<T>(rows: Rows<T>): Page<T>;
  /** Filters rows and, for `explain=true`, counts the rows that are left out. */
  readonly tally: RowTally;
}

/**
 * An operation of the contract: a pure function of a query, named snapshots and on-demand reads. Its path is
 * `/api/<folder of its service>/v1/<rpc>`.
 */
export interface Operation<
  Q extends QueryFields = QueryFields,
  Res extends TSchema = TSchema,
  R extends Reads = Reads,
  F extends Fetches<QueryOf<Q>> = Fetches,
> {
  readonly rpc: string;
  readonly summary: string;
  readonly description: string;
  readonly cache: CacheTier;
  /** Lowest plan tier that may call it; 1 is a Pro operation. Default 0. */
  readonly tier?: 1;
  /** True if a credential is required even on an instance with public reads. */
  readonly keyAlways?: true;
  /** A quota that its service group declares. Every call counts, including failed ones. */
  readonly dailyQuota?: DailyQuota;
  /** Its announced deprecation. */
  readonly deprecation?: Deprecation;
  /** Settings of the operation that an operator can change. */
  readonly settings?: readonly Setting<unknown>[];
  readonly reads: R;
  /** Selects the datasets that a query reads. Default: all of them. */
  readsFor?(query: QueryOf<Q>): readonly (keyof R & string)[];
  /**
   * Selects the datasets whose snapshots include `revisions` for a query. Each of these datasets declares
   * `keepsFormerRows`. Default: none.
   */
  revisionsFor?(query: QueryOf<Q>): readonly (keyof R & string)[];
  /** True if answers report the newest build attempt of their datasets, and so change with every attempt. */
  readonly showsAttempts?: true;
  readonly fetches?: F;
  readonly query: Q;
  /** Pairs of parameters that bound a time range. An inverted range matches nothing and adds a notice. */
  readonly ranges?: readonly (readonly [from: keyof Q & string, to: keyof Q & string])[];
  readonly response: Res;
  /**
   * The list in its answers. An operation reports changes of rows and takes `explain` only if it has a list and no
   * on-demand reads. Its `run` then chooses the rows through `tally`.
   */
  readonly list?: RowListOf<Static<Res>>;
  /** Queries that are valid for any snapshot. The tests run them, and the docs show them. */
  readonly examples: readonly Readonly<Record<string, string>>[];
  /** Returns the time until which an answer is valid, epoch ms. Operations without it must not call `now`. */
  validUntil?(query: QueryOf<Q>, snapshots: SnapshotsOf<R>, now: number): number;
  run(query: QueryOf<Q>, snapshots: SnapshotsOf<R>, context: RunContext<F>): Static<Res>;
}

/** An operation of unspecified types, for registries. */
export type AnyOperation = Operation;

const declared = new WeakSet<object>();

/** Declares an operation, whose query, reads, fetches and response must have matching types. */
export function operation<
  const Q extends QueryFields,
  Res extends TSchema,
  const R extends Reads,
  const F extends Fetches<QueryOf<Q>> = Record<never, never>,
>(definition: Operation<Q, Res, R, F>): Operation<Q, Res, R, F> {
  declared.add(definition);
  return definition;
}

/** Returns true for a value that `operation()` has returned. The registry finds operations by this function. */
export function isOperation(value: unknown): value is AnyOperation {
  return typeof value === "object" && value !== null && declared.has(value);
}

/** An operation with the path that is derived from its file. */
export interface RegisteredOperation {
  readonly service: string;
  readonly path: string;
  readonly operation: AnyOperation;
}

/** True if an operation answers from snapshots, even if only for some queries. */
export function readsDatasets({ reads }: AnyOperation): boolean {
  return Object.keys(reads).length > 0;
}
