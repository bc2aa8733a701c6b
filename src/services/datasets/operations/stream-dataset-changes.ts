import { stream } from "../../../contract/stream.js";
import { datasetLog } from "../dataset-log.js";
import { changeFilters } from "../query-fields.js";

export const streamDatasetChanges = stream({
  rpc: "stream-dataset-changes",
  summary: "Changes of datasets as they happen",
  description:
    "The changes that `list-dataset-changes` polls, from the same log and by the same positions: each new generation and each new state of a dataset, so that a client fetches only what has changed.",
  log: datasetLog,
  filters: changeFilters,
});
