import type { ReadSetting } from "./setting.js";
import type { Snapshot } from "./snapshot.js";
import type { AnySource, Source } from "./source.js";

/** The reason for not calling an upstream: its setting is missing, or the calls of this billing cycle are used up. */
export type NotAskable = "unconfigured" | "budget";

/** The outcome of reading an upstream for a request. Cached like a small snapshot, and shared by equal requests. */
export type Observation<T> =
  | {
      readonly state: "fresh" | "cached" | "stale";
      readonly fetchedAt: number;
      readonly expiresAt: number;
      readonly data: T;
    }
  /** The upstream answered and has nothing. */
  | { readonly state: "miss"; readonly fetchedAt: number; readonly expiresAt: number }
  /** The upstream was not called, or failed. Not the same as a miss. */
  | {
      readonly state: "error";
      readonly fetchedAt: number;
      readonly expiresAt: number;
      readonly error: string;
      /** Absent if the upstream was called and failed. */
      readonly reason?: NotAskable;
      /** True if the upstream answered, but not in the known shape. */
      readonly isChanged?: true;
    }
  /** The query does not need this read. */
  | { readonly state: "not-asked"; readonly fetchedAt: number; readonly expiresAt: number };

/** The lifetimes of an observation, and a caller's longest wait. */
export interface OnDemandPolicy {
  /** Time for which an observation with data is served from the cache. */
  readonly ttlMs: number;
  /** The same for a `miss`. */
  readonly missTtlMs: number;
  readonly timeLimitMs: number;
  /** Time for which an expired observation may replace a failed read. */
  readonly staleWhileErrorMs?: number;
  /**
   * Time for which a failure is remembered, during which reads do not call the upstream. Default: the next read calls
   * the upstream again.
   */
  readonly errorTtlMs?: number;
}

interface OnDemandSource<Stored> extends OnDemandPolicy {
  /** Reads with the same name share their observations across operations. */
  readonly name: string;
  readonly source: Source<unknown, Stored>;
  /**
   * Fallbacks, tried in order while the earlier sources have nothing or failed. They can only add data: if they have
   * nothing either, the outcome of the first source that could be called is used.
   */
  readonly alternatives?: readonly Source<unknown, Stored>[];
  /** True if a request is repeated once, within the time limit, after a connection failure, a 429 or a 5xx. */
  readonly asksTwice?: true;
}

/** An upstream read that a request makes, declared beside the operation that needs it. */
export interface OnDemandRead<Query, Stored> extends OnDemandSource<Stored> {
  /** Returns the plan of this query, or undefined when it needs no read. Equal plans share one observation. */
  plan(query: Query): unknown;
}

/**
 * Several reads of one kind. The query determines their plans. Each plan has its own observation, and the observations
 * are in the order of the plans.
 */
export interface OnDemandReads<Query, Stored> extends OnDemandSource<Stored> {
  plans(query: Query): readonly unknown[];
}

/** The inputs of a plan besides the query. */
export interface PlanningContext<Snapshots> {
  /** The operation's snapshots. */
  readonly snapshots: Snapshots;
  /** Now, epoch ms. */
  readonly now: number;
  /** Returns the value of one of the operation's own settings. */
  readonly settingOf: ReadSetting;
}

type AnySnapshots = Readonly<Record<string, Snapshot<unknown>>>;

/**
 * An upstream read whose plan also depends on the operation's snapshots and the time. The value that `keep` returns may
 * include the plan's inputs, so that the value stays meaningful after the snapshots have changed.
 */
export interface OnDemandReadFrom<Query, Snapshots, Plan, Stored, Kept> extends OnDemandSource<Stored> {
  /** Returns the plan, or undefined when no read is needed. */
  planFrom(query: Query, context: PlanningContext<Snapshots>): Plan | undefined;
  /** Returns the cache key of the observation: plans with equal keys share one observation. */
  keyOf(plan: Plan): unknown;
  /** Reduces the records to the kept value; throws `SourceFailure` if they do not answer the plan. */
  keep(plan: Plan, records: readonly Stored[]): Kept;
  /** Replaces `timeLimitMs` if a setting determines a caller's longest wait. */
  timeLimitOf?(settingOf: ReadSetting): number;
}

export type AnyOnDemand<Query> =
  | OnDemandRead<Query, unknown>
  | OnDemandReads<Query, unknown>
  | OnDemandReadFrom<Query, AnySnapshots, unknown, unknown, unknown>;

/**
 * The observation of an on-demand read, or one observation per plan for several reads. The data are the records of the
 * source. If the read has `keep`, the data are the kept value instead.
 */
export type ObservedBy<D> = D extends { keep(plan: never, records: never): infer Kept }
  ? Observation<readonly [Kept]>
  : D extends OnDemandReads<never, infer Stored>
    ? readonly Observation<readonly Stored[]>[]
    : D extends OnDemandRead<never, infer Stored>
      ? Observation<readonly Stored[]>
      : never;

/** The sources of a read in the order in which they are tried. */
export function sourcesOf({ source, alternatives = [] }: OnDemandSource<unknown>): readonly AnySource[] {
  return [source, ...alternatives];
}
