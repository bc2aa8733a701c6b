import type { Observation } from "../../../contract/on-demand.js";

/** What an answer says in `source` when it has no data, and why. */
export type NoData = "none" | "error" | "budget" | "unavailable";

/** The records of an observation, or the word for having none. */
export function readOf<T>(observation: Observation<readonly T[]>): readonly T[] | NoData {
  switch (observation.state) {
    case "fresh":
    case "cached":
    case "stale":
      return observation.data;
    case "miss":
    case "not-asked":
      return "none";
    case "error":
      if (observation.reason === "budget") return "budget";
      return observation.reason === "unconfigured" ? "unavailable" : "error";
  }
}

/** When the upstream answered, epoch ms; 0 when it did not. */
export function answeredAt(observations: readonly Observation<unknown>[]): number {
  return Math.max(
    0,
    ...observations.map(({ state, fetchedAt }) => (state === "error" || state === "not-asked" ? 0 : fetchedAt)),
  );
}
