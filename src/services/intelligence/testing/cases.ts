import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: { "get-country-intel-brief": { kind: "elsewhere", file: "test/country-brief.test.ts" } },
  datasets: {
    "country-evidence": {
      kind: "product",
      shownBy: "/api/intelligence/v1/get-country-intel-brief?country_code=UA",
    },
  },
  additions: { "get-country-intel-brief": { fields: ["claimsWithheld", "degraded"] } },
};
