import type { Observation } from "../contract/on-demand.js";

/** A cached observation: a record, or the absence of one. */
export type KnownObservation<T> = Extract<Observation<T>, { state: "fresh" | "cached" | "stale" | "miss" }>;

/**
 * Observations of upstreams, shared by the nodes that use one store. If sharing fails, no call rejects; each node then
 * reads the upstreams itself.
 */
export interface SharedObservations {
  /**
   * Waits until another node has observed `key`, or until it is this node's turn to read it. Resolves to undefined if
   * sharing is impossible; this node then reads the upstream itself. Rejects only with the reason of `signal`.
   */
  turn(key: string, signal: AbortSignal): Promise<Turn | undefined>;
}

export interface Turn {
  /** The newest shared observation. It may have expired. Undefined if there is none. */
  readonly observation: KnownObservation<unknown> | undefined;
  /**
   * Ends this node's turn and shares `observed`, if given, until `keepUntil` (epoch ms). Does nothing if this node does
   * not have the turn.
   */
  end(observed?: KnownObservation<unknown>, keepUntil?: number): Promise<void>;
}
