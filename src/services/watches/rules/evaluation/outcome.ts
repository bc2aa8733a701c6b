import type { SnapshotState } from "../../../../contract/snapshot.js";
import type { WatchDefinition } from "../../records.js";
import type { FiringContent } from "../firing/new-firing.js";
import type { WatchMemory } from "./memory.js";
import type { Moment, Watched } from "./moment.js";

/** A watch that is evaluated at a moment, with the inputs of its rule. */
export interface Situation {
  readonly watch: WatchDefinition;
  readonly memory: WatchMemory;
  readonly moment: Moment;
  /** The worst state of the watch's datasets. */
  readonly state: SnapshotState;
  readonly watched: Watched;
}

/** The members of a watch's memory that a rule may change. */
export type MemoryChanges = Partial<Pick<WatchMemory, "told" | "baseline" | "partialBaselines" | "collisions">>;

/**
 * The outcome of a rule. `evaluated`: the rule has compared the answers. `failed`: the call or an expression fails, or
 * yields the wrong kind of value. `waits`: nothing can be decided at this moment. `gone`: the generations of the moment
 * are no longer kept.
 */
export type Outcome =
  | { readonly kind: "evaluated"; readonly memoryChanges: MemoryChanges; readonly firings: readonly FiringContent[] }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "waits" }
  | { readonly kind: "gone" };

export const WAITS: Outcome = { kind: "waits" };
export const GONE: Outcome = { kind: "gone" };

export function failed(error: string): Outcome {
  return { kind: "failed", error };
}

export function evaluated(memoryChanges: MemoryChanges, firings: readonly FiringContent[] = []): Outcome {
  return { kind: "evaluated", memoryChanges, firings };
}
