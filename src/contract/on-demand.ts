import type { Source } from "./source.js";

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
  | { readonly state: "error"; readonly fetchedAt: number; readonly expiresAt: number; readonly error: string }
  /** The query did not call for this read. */
  | { readonly state: "not-asked"; readonly fetchedAt: number; readonly expiresAt: number };

/** How long what was read is reused, and how long a caller waits for it. */
export interface OnDemandPolicy {
  readonly ttlMs: number;
  readonly missTtlMs: number;
  readonly timeLimitMs: number;
  /** How much longer an expired observation may stand in for a failed read. */
  readonly staleWhileErrorMs?: number;
}

/** An upstream read that a request makes, declared beside the operation that needs it. */
export interface OnDemandRead<Query, Stored> extends OnDemandPolicy {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: plan, format and row are the source's own affair
  readonly source: Source<any, any, any, Stored>;
  /** What to ask for, or undefined when this query needs nothing. Equal plans share one observation. */
  plan(query: Query): unknown;
}

/** The data type of an on-demand read: its source's records. */
export type ReadOf<D> = D extends OnDemandRead<never, infer Stored> ? readonly Stored[] : never;
