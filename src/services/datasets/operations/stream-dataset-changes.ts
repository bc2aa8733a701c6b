import { stream } from "../../../contract/stream.js";
import { datasetLog } from "../dataset-log.js";
import { changeFilters } from "../query-fields.js";

export const streamDatasetChanges = stream({
  rpc: "stream-dataset-changes",
  summary: "Changes of datasets as they happen",
  description:
    "The changes that `list-dataset-changes` returns, from the same log and with the same positions: each new generation and each new state of a dataset. A client needs to fetch only the datasets that have changed.",
  log: datasetLog,
  filters: changeFilters,
});
