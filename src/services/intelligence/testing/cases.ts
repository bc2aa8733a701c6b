import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: { "get-country-intel-brief": { kind: "elsewhere", file: "test/country-brief.test.ts" } },
  datasets: {},
  additions: { "get-country-intel-brief": { fields: ["claimsWithheld", "degraded"] } },
};
