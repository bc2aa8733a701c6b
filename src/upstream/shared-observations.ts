import type { Observation } from "../contract/on-demand.js";

/** An observation that is remembered: what was found, or that there was nothing. */
export type Known<T> = Extract<Observation<T>, { state: "fresh" | "cached" | "stale" | "miss" }>;

/** Observations that the nodes of one store share. Nothing of it rejects for its own failure: nodes then read alone. */
export interface SharedObservations {
  /**
   * Waits until another node has observed `key` or this node may ask. Undefined where nothing can be shared: this node
   * then asks by itself. Rejects only with the reason of `signal`.
   */
  turn(key: string, signal: AbortSignal): Promise<Turn | undefined>;
}

export interface Turn {
  /** The observation of another node, which may have expired. */
  readonly known: Known<unknown> | undefined;
  /** Ends this node's turn and shares what it observed until `keepUntil` (epoch ms). Nothing to do where it was not its turn. */
  end(observed?: Known<unknown>, keepUntil?: number): Promise<void>;
}
