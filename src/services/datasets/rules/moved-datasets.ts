import type { DatasetStanding } from "../../../contract/snapshot.js";

/** The newest logged state of a dataset. */
export type LoggedState = Omit<DatasetStanding, "newestGeneration">;

/**
 * Returns the states to log: those of the datasets that have moved. A dataset has moved if its standing (what this node
 * serves now) differs from its newest logged state. Datasets that are no longer built come last, with the state
 * `absent`.
 */
export function movedDatasets(
  logged: ReadonlyMap<string, LoggedState>,
  standings: readonly DatasetStanding[],
): readonly LoggedState[] {
  const moved = standings.filter((standing) => hasMoved(logged.get(standing.dataset), standing));
  const built = new Set(standings.map(({ dataset }) => dataset));
  const ended = [...logged.values()].filter(({ dataset, state }) => state !== "absent" && !built.has(dataset));
  return [...moved, ...ended.map(({ dataset }) => absent(dataset))];
}

function hasMoved(last: LoggedState | undefined, standing: DatasetStanding): boolean {
  if (last === undefined) return true;
  const { state, generation, contentHash, newestGeneration } = standing;
  if (last.state === state && last.generation === generation && last.contentHash === contentHash) return false;
  // If the newest generation that this node has seen is older than the logged one, the node is behind and logs nothing.
  // A node that has seen the logged generation but serves an earlier one could not read the logged generation, so it
  // logs the earlier one.
  const isBehind = last.generation !== null && newestGeneration !== null && newestGeneration < last.generation;
  return !isBehind;
}

function absent(dataset: string): LoggedState {
  return { dataset, state: "absent", generation: null, contentHash: null, newestAt: null };
}
