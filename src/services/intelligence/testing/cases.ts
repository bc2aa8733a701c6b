import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: {
    "get-country-intel-brief": { kind: "elsewhere", file: "test/country-brief.test.ts" },
    "list-material-events": { kind: "stored", absent: { events: [], unavailable: true } },
  },
  datasets: {
    "country-evidence": {
      kind: "product",
      shownBy: "/api/intelligence/v1/get-country-intel-brief?country_code=UA",
    },
    "material-events": {
      kind: "stored",
      shownBy: "/api/intelligence/v1/list-material-events?limit=100",
      feeds: [{ upstream: "sec-current-filings", badRow: {} }],
    },
  },
  payloads: { "sec-current-filings": "sec-edgar/getcurrent-atom-start0.xml" },
  additions: { "get-country-intel-brief": { fields: ["claimsWithheld", "degraded"] } },
};
