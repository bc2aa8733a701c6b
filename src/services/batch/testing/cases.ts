import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: {},
  datasets: {},
  writes: {
    execute: {
      kind: "write",
      body: () => ({ operations: [{ id: "own", path: "/api/account/v1/get-account" }] }),
      answer: { results: [{ id: "own", status: 200, error: "" }], succeeded: 1, failed: 0 },
    },
  },
};
