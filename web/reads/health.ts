import type { DataState } from "../../src/sdk/index.js";

/** The part of `/api/health` that the console shows. Times are epoch ms. */
export interface Health {
  readonly states: Readonly<Partial<Record<DataState, number>>>;
  readonly now: number;
  readonly startedAt: number;
  readonly version: string;
  readonly datasets: readonly DatasetHealth[];
}

export interface DatasetHealth {
  readonly name: string;
  readonly state: DataState;
  readonly stateReasons: readonly string[];
  readonly generation: number;
  readonly builtAt: number | null;
  /** The last time at which the sources confirmed the data. */
  readonly checkedAt: number | null;
  /** Time of the newest observation in the data. */
  readonly newestAt: number | null;
  readonly attemptedAt: number | null;
  readonly outcome: string | null;
  readonly error: string | null;
  readonly failuresInRow: number;
  readonly nextAt: number | null;
  readonly parts: readonly PartHealth[];
}

export interface PartHealth {
  readonly name: string;
  readonly state: string;
  readonly confirmedAt: number | null;
  readonly error: string | null;
  readonly newestAt?: number | null;
  readonly isOverAge?: boolean;
}

/** The states from worst to best. */
const STATES: readonly DataState[] = ["unreadable", "absent", "stale", "partial", "ok"];

/** The datasets with the worst states first, then failing ones, then by name. */
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
  if (troubled === 0) return `All ${datasets.length} datasets are complete and fresh.`;
  return `${troubled} of ${datasets.length} datasets ${troubled === 1 ? "needs" : "need"} a look before you rely on ${troubled === 1 ? "it" : "them"}.`;
}
