import type { ReadSetting } from "./setting.js";
import type { Snapshot } from "./snapshot.js";
import type { AnySource, Source } from "./source.js";

/** Why an upstream was not even asked: the setting it needs is missing, or this billing cycle's calls are used up. */
export type NotAskable = "unconfigured" | "budget";

/** What a request-time upstream read gave, cached like a small snapshot and shared by everyone who asks the same. */
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

/** How long what was read is reused, and how long a caller waits for it. */
export interface OnDemandPolicy {
  readonly ttlMs: number;
  readonly missTtlMs: number;
  readonly timeLimitMs: number;
  /** How much longer an expired observation may stand in for a failed read. */
  readonly staleWhileErrorMs?: number;
  /** How long a failure is remembered before the upstream is asked again. Default: it is asked by the next read. */
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
  /** What to ask for, or undefined when this query needs nothing. Equal plans share one observation. */
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
  /** What to ask for, or undefined when nothing is needed. */
  planFrom(query: Query, given: PlanningGiven<Snapshots>): Plan | undefined;
  /** What the observation is kept under: plans of equal keys share one, whatever else they say. */
  keyOf(plan: Plan): unknown;
  /** What is kept of the records; throws `SourceFailure` where they do not answer the plan. */
  keep(plan: Plan, records: readonly Stored[]): Kept;
  /** Instead of `timeLimitMs`, where a setting says how long a caller waits. */
  timeLimitOf?(settingOf: ReadSetting): number;
}

export type AnyOnDemand<Query> =
  | OnDemandRead<Query, unknown>
  | OnDemandReads<Query, unknown>
  | OnDemandReadFrom<Query, AnySnapshots, unknown, unknown, unknown>;

/** What is observed of an on-demand read: its source's records, once or once for each plan, or the one thing kept of them. */
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
