import type { AnyDataset } from "../contract/dataset.js";
import type { DatasetStatus } from "./generation.js";
import type { SnapshotStore } from "./store.js";

/** How the newest run of every dataset went, without the snapshots themselves: all that a builder needs to know. */
export interface RunBoard {
  status(dataset: AnyDataset): DatasetStatus | undefined;
  refresh(): Promise<void>;
}

export function runBoard(store: SnapshotStore): RunBoard {
  let known: ReadonlyMap<string, DatasetStatus> = new Map();
  return {
    status: (dataset) => known.get(dataset.name),
    async refresh() {
      known = new Map((await store.statuses()).map((status) => [status.dataset, status]));
    },
  };
}
