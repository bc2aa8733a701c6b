import type { DataState } from "../../src/sdk/index.js";

/** What the console shows of `/api/health`. Times are epoch ms. */
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
  /** When the data was last confirmed at its sources. */
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

/** The states from the worst to the best, which is the order in which they need somebody. */
const STATES: readonly DataState[] = ["unreadable", "absent", "stale", "partial", "ok"];

/** The datasets that need somebody first, then those that fail, then by name. */
export function inOrderOfNeed(datasets: readonly DatasetHealth[]): readonly DatasetHealth[] {
  const rank = ({ state, error }: DatasetHealth): number => 2 * STATES.indexOf(state) + (error === null ? 1 : 0);
  return [...datasets].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/** How many datasets are in which state, worst first. */
export function stateCounts(
  datasets: readonly DatasetHealth[],
): readonly (readonly [state: DataState, count: number])[] {
  return STATES.map((state) => [state, datasets.filter((dataset) => dataset.state === state).length] as const).filter(
    ([, count]) => count > 0,
  );
}

/** The whole in one sentence. */
export function summaryText(datasets: readonly DatasetHealth[]): string {
  const troubled = datasets.filter(({ state }) => state !== "ok").length;
  if (datasets.length === 0) return "No dataset is built here.";
  if (troubled === 0) return `All ${datasets.length} datasets are complete and fresh.`;
  return `${troubled} of ${datasets.length} datasets ${troubled === 1 ? "needs" : "need"} a look before you rely on ${troubled === 1 ? "it" : "them"}.`;
}
