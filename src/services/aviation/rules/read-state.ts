import type { Observation } from "../../../contract/on-demand.js";

/** The value of `source` in an answer without data: the reason why there is none. */
export type NoData = "none" | "error" | "budget" | "unavailable";

/** Returns the records of an observation, or the reason why there are none. */
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

/** Returns the time of the newest upstream answer, epoch ms; 0 if there was none. */
export function answeredAt(observations: readonly Observation<unknown>[]): number {
  return Math.max(
    0,
    ...observations.map(({ state, fetchedAt }) => (state === "error" || state === "not-asked" ? 0 : fetchedAt)),
  );
}
