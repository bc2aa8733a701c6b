import type { ChangeLog } from "../../contract/change-log.js";
import { DatasetChange, datasetStates } from "./records.js";

/** The log of all datasets, which `list-dataset-changes` polls. */
export const datasetLog: ChangeLog = {
  event: "dataset.changed",
  description: "A dataset has a new generation or a new state.",
  scope: "read",
  isPerAccount: false,
  entry: DatasetChange,
  subject: "dataset",
  facets: { dataset: undefined, state: datasetStates },
};
