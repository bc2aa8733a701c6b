import type { ReadSetting } from "./setting.js";
import type { Snapshot } from "./snapshot.js";
import type { AnySource, Source } from "./source.js";

/** The reason for not calling an upstream: its setting is missing, or the calls of this billing cycle are used up. */
export type NotAskable = "unconfigured" | "budget";

/** The outcome of an upstream read at request time, cached like a small snapshot and shared by equal requests. */
export type Observation<T> =
  | {
      readonly state: "fresh" | "cached" | "stale";
      readonly fetchedAt: number;
      readonly expiresAt: number;
      readonly data: T;
    }
  /** The upstream answered and has nothing. */
  | { readonly state: "miss"; readonly fetchedAt: number; readonly expiresAt: number }
  /** It could not be asked; never to be read as nothing. */
  | {
      readonly state: "error";
      readonly fetchedAt: number;
      readonly expiresAt: number;
      readonly error: string;
      /** Left out where it was asked and failed. */
      readonly reason?: NotAskable;
    }
  /** The query did not call for this read. */
  | { readonly state: "not-asked"; readonly fetchedAt: number; readonly expiresAt: number };

/** Lifetimes of an observation, and the longest wait of a caller. */
export interface OnDemandPolicy {
  readonly ttlMs: number;
  readonly missTtlMs: number;
  readonly timeLimitMs: number;
  /** Time for which an expired observation replaces a failed read. */
  readonly staleWhileErrorMs?: number;
  /** Time for which a failure is remembered before the next call. Default: the next read calls. */
  readonly errorTtlMs?: number;
}

interface OnDemandSource<Stored> extends OnDemandPolicy {
  /** Reads of one name share their observations, in whichever operations they are. */
  readonly name: string;
  readonly source: Source<unknown, Stored>;
  /**
   * Asked in their order when the ones before have nothing or failed. They can only add: where none of them has
   * anything, what the first one said stands.
   */
  readonly alternatives?: readonly Source<unknown, Stored>[];
  /** Asked once more when it could not be reached, had too much to do (429) or failed (5xx), within the time limit. */
  readonly asksTwice?: true;
}

/** An upstream read that a request makes, declared beside the operation that needs it. */
export interface OnDemandRead<Query, Stored> extends OnDemandSource<Stored> {
  /** Returns the plan of this query, or undefined when it needs no read. Equal plans share one observation. */
  plan(query: Query): unknown;
}

/** Several reads of one kind, as many as the query calls for; one observation each, in the order of the plans. */
export interface OnDemandReads<Query, Stored> extends OnDemandSource<Stored> {
  plans(query: Query): readonly unknown[];
}

/** The inputs of a plan that is made of more than the query. */
export interface PlanningGiven<Snapshots> {
  /** As the operation reads them. */
  readonly snapshots: Snapshots;
  /** Now, epoch ms. */
  readonly now: number;
  /** The value of one of the operation's own settings. */
  readonly settingOf: ReadSetting;
}

type AnySnapshots = Readonly<Record<string, Snapshot<unknown>>>;

/**
 * An upstream read that is planned from the operation's snapshots and the clock too. What is kept of it may hold what it was
 * planned from, so that it still makes sense when the snapshots have moved on.
 */
export interface OnDemandReadFrom<Query, Snapshots, Plan, Stored, Kept> extends OnDemandSource<Stored> {
  /** Returns the plan, or undefined when no read is needed. */
  planFrom(query: Query, given: PlanningGiven<Snapshots>): Plan | undefined;
  /** Returns the cache key of the observation: plans with equal keys share one. */
  keyOf(plan: Plan): unknown;
  /** Reduces the records to what is kept; throws `SourceFailure` if they do not answer the plan. */
  keep(plan: Plan, records: readonly Stored[]): Kept;
  /** Instead of `timeLimitMs`, where a setting says how long a caller waits. */
  timeLimitOf?(settingOf: ReadSetting): number;
}

export type AnyOnDemand<Query> =
  | OnDemandRead<Query, unknown>
  | OnDemandReads<Query, unknown>
  | OnDemandReadFrom<Query, AnySnapshots, unknown, unknown, unknown>;

/** The data of an on-demand read: its source's records, once or for each plan, or the reduced value. */
export type ObservedBy<D> =
  D extends OnDemandReadFrom<never, never, never, never, infer Kept>
    ? Observation<readonly [Kept]>
    : D extends OnDemandReads<never, infer Stored>
      ? readonly Observation<readonly Stored[]>[]
      : D extends OnDemandRead<never, infer Stored>
        ? Observation<readonly Stored[]>
        : never;

/** The sources of a read in the order in which they are asked. */
export function sourcesOf({ source, alternatives = [] }: OnDemandSource<unknown>): readonly AnySource[] {
  return [source, ...alternatives];
}
