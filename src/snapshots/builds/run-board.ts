import type { AnyDataset } from "../../contract/product.js";
import type { DatasetStatus, Generation } from "../generation.js";
import type { SnapshotStore } from "../store.js";

/** The newest run result and the newest generation of every dataset. Used by builders. Loads no snapshot. */
export interface RunBoard {
  status(dataset: AnyDataset): DatasetStatus | undefined;
  generation(dataset: AnyDataset): Generation | undefined;
  refresh(): Promise<void>;
}

export function runBoard(store: SnapshotStore): RunBoard {
  let statuses: ReadonlyMap<string, DatasetStatus> = new Map();
  let generations: ReadonlyMap<string, Generation> = new Map();
  return {
    status: (dataset) => statuses.get(dataset.name),
    generation: (dataset) => generations.get(dataset.name),
    async refresh() {
      const [runs, newest] = await Promise.all([store.statuses(), store.newestOfAll()]);
      statuses = new Map(runs.map((status) => [status.dataset, status]));
      generations = new Map(newest.map((generation) => [generation.dataset, generation]));
    },
  };
}
