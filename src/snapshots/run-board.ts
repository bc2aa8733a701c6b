import type { AnyDataset } from "../contract/dataset.js";
import type { DatasetStatus } from "./generation.js";
import type { SnapshotStore } from "./store.js";

/** The result of the newest run of every dataset, without the snapshots; used by builders. */
export interface RunBoard {
  status(dataset: AnyDataset): DatasetStatus | undefined;
  refresh(): Promise<void>;
}

export function runBoard(store: SnapshotStore): RunBoard {
  let statuses: ReadonlyMap<string, DatasetStatus> = new Map();
  return {
    status: (dataset) => statuses.get(dataset.name),
    async refresh() {
      statuses = new Map((await store.statuses()).map((status) => [status.dataset, status]));
    },
  };
}
