import type { ServiceCases } from "../../../contract/testing/service-cases.js";

const file = "test/proofs.test.ts";

export const cases: ServiceCases = {
  operations: {},
  datasets: {},
  accountReads: {
    "get-signed-head": {
      answer: { size: 0, rootHash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    },
    "get-inclusion-proof": { kind: "elsewhere", file },
    "get-consistency-proof": { kind: "elsewhere", file },
  },
};
