import type { ChangeLog } from "../../contract/change-log.js";
import { snapshotStates } from "../../contract/snapshot.js";
import { DatasetChange } from "./records.js";

/** The log of all datasets, which clients poll with `list-dataset-changes`. */
export const datasetLog: ChangeLog<typeof DatasetChange> = {
  event: "dataset.changed",
  description: "A dataset has a new generation or a new state.",
  scope: "read",
  isPerAccount: false,
  entry: DatasetChange,
  subject: "dataset",
  facets: { dataset: undefined, state: snapshotStates },
  line({ changedAt, dataset, state, previousState, generation, newestAt }) {
    const before = previousState === undefined || previousState === state ? "" : ` (was ${previousState})`;
    const content = generation === undefined ? "" : `, generation ${generation}`;
    const newest = newestAt === undefined ? "" : `, newest ${newestAt.slice(0, "2026-11-23".length)}`;
    return `${changedAt}  ${dataset} ${state}${before}${content}${newest}`;
  },
};
