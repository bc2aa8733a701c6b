import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: {},
  datasets: {},
  accountReads: {
    "list-dataset-states": { answer: { datasets: [] } },
    "list-dataset-changes": { answer: { changes: [], pollState: "DATASET_POLL_STATE_CURRENT" } },
  },
};
