import type { DataState, DatasetHealth } from "../../src/sdk/index.js";

/** The states from worst to best. */
const STATES: readonly DataState[] = ["unreadable", "absent", "stale", "partial", "ok"];

/** The datasets, worst state first; within a state, failing ones first, then by name. */
export function inOrderOfNeed(datasets: readonly DatasetHealth[]): readonly DatasetHealth[] {
  const rank = ({ state, error }: DatasetHealth): number => 2 * STATES.indexOf(state) + (error === null ? 1 : 0);
  return [...datasets].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/** The number of datasets in each state, worst first. */
export function stateCounts(
  datasets: readonly DatasetHealth[],
): readonly (readonly [state: DataState, count: number])[] {
  return STATES.map((state) => [state, datasets.filter((dataset) => dataset.state === state).length] as const).filter(
    ([, count]) => count > 0,
  );
}

/** The overall state in one sentence. */
export function summaryText(datasets: readonly DatasetHealth[]): string {
  const troubled = datasets.filter(({ state }) => state !== "ok").length;
  if (datasets.length === 0) return "No dataset is built here.";
  if (troubled === 0 && datasets.length === 1) return "The only dataset is complete and fresh.";
  if (troubled === 0) return `All ${datasets.length} datasets are complete and fresh.`;
  return `${troubled} of ${datasets.length} datasets ${troubled === 1 ? "needs" : "need"} a look before you rely on ${troubled === 1 ? "it" : "them"}.`;
}
