import type { Static, TSchema } from "typebox";
import type { AnyDataset, ViewOf } from "./dataset.js";
import type { Deprecation } from "./deprecation.js";
import type { AnyOnDemand, ObservedBy } from "./on-demand.js";
import type { Page, Rows } from "./paging.js";
import type { QueryFields, QueryOf } from "./query-field.js";
import type { DailyQuota } from "./service-group.js";
import type { ReadSetting, Setting } from "./setting.js";
import type { Snapshot } from "./snapshot.js";

/** The cache tier of public answers; see `cacheTiers`. */
export type CacheTier = "fast" | "medium" | "slow" | "static" | "daily" | "no-store";

export type Reads = Readonly<Record<string, AnyDataset>>;
export type Fetches<Query = never> = Readonly<Record<string, AnyOnDemand<Query>>>;

export type SnapshotsOf<R> = { readonly [K in keyof R]: Snapshot<ViewOf<R[K]>> };
export type ObservationsOf<F> = { readonly [K in keyof F]: ObservedBy<F[K]> };

/** The inputs of an operation that are easily forgotten: what was read on demand, and the clock. */
export interface RunContext<F> {
  readonly observations: ObservationsOf<F>;
  /** True where upstreams are simulated; what is observed then is no fact about the world. */
  readonly simulated: boolean;
  /** The value of one of the operation's own settings. */
  readonly settingOf: ReadSetting;
  /** Now, epoch ms. Only for operations that declare `validUntil`. */
  now(): number;
  /** The asked page of a whole list. Only for operations whose query has the `pageFields`. */
  paginate<T>(rows: Rows<T>): Page<T>;
}

/**
 * One callable of the contract: a pure function of a query, named snapshots and on-demand reads. Its path is
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
  /** Least plan tier of the caller's account; 1 is a Pro operation. Default 0. */
  readonly tier?: 1;
  /** Never open without a credential, even where reads are public. */
  readonly keyAlways?: true;
  /** A quota that its service group declares; every call takes one, whatever it is answered. */
  readonly dailyQuota?: DailyQuota;
  /** Makes do with what is there: of its snapshots those that are missing make its answers partial, not absent. */
  readonly failsSoft?: true;
  /** Announced to go away. */
  readonly deprecation?: Deprecation;
  /** Settings of the operation that an operator can change. */
  readonly settings?: readonly Setting<unknown>[];
  readonly reads: R;
  /** Selects the reads that a query needs; its answer depends on no others. Default: all of them. */
  readsFor?(query: QueryOf<Q>): readonly (keyof R & string)[];
  /** True where answers tell of the newest attempt at building what they read; they change with every attempt. */
  readonly showsAttempts?: true;
  readonly fetches?: F;
  readonly query: Q;
  /** Pairs of its instants that bound a time. A query that gives both the wrong way round finds nothing, and is noticed. */
  readonly ranges?: readonly (readonly [from: keyof Q & string, to: keyof Q & string])[];
  readonly response: Res;
  /** Query texts that work on any snapshot: run by the tests, shown in the docs. */
  readonly examples: readonly Readonly<Record<string, string>>[];
  /** Returns the end of validity of an answer that depends on the clock, epoch ms. Operations without it may not read the time. */
  validUntil?(query: QueryOf<Q>, snapshots: SnapshotsOf<R>, now: number): number;
  run(query: QueryOf<Q>, snapshots: SnapshotsOf<R>, context: RunContext<F>): Static<Res>;
}

/** An operation as registries hold it: its query, reads and response are known only to itself. */
export type AnyOperation = Operation;

const declared = new WeakSet<object>();

/** Declares an operation; the types tie query, reads, fetches and response together. */
export function operation<
  const Q extends QueryFields,
  Res extends TSchema,
  const R extends Reads,
  const F extends Fetches<QueryOf<Q>> = Record<never, never>,
>(definition: Operation<Q, Res, R, F>): Operation<Q, Res, R, F> {
  declared.add(definition);
  return definition;
}

/** True for values made by `operation()`, so that a folder can be searched for them. */
export function isOperation(value: unknown): value is AnyOperation {
  return typeof value === "object" && value !== null && declared.has(value);
}

/** An operation with the address that its place in the tree gives it. */
export interface RegisteredOperation {
  readonly service: string;
  readonly path: string;
  readonly operation: AnyOperation;
}
