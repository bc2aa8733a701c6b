import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: {
    "get-us-cpi-monthly": { kind: "stored", absent: { months: [], unavailable: true } },
    "get-us-treasury-par-yield-curve": { kind: "stored", absent: { curves: [], unavailable: true } },
  },
  additions: {
    "get-us-cpi-monthly": { parameters: ["vintages"], fields: ["vintages"] },
    "get-us-treasury-par-yield-curve": { parameters: ["vintages"], fields: ["vintages"] },
  },
  datasets: {
    "us-cpi": {
      kind: "stored",
      shownBy: "/api/economic/v1/get-us-cpi-monthly?history=true",
      feeds: [{ upstream: "fred", badRow: {} }],
      parts: { headline: { match: ["CPIAUCSL"] }, energy: { match: ["CPIENGSL"] } },
      likeTested: ["core", "food", "shelter", "services"],
    },
    "us-treasury-yields": {
      kind: "stored",
      shownBy: "/api/economic/v1/get-us-treasury-par-yield-curve?history=true",
      feeds: [{ upstream: "treasury", badRow: {} }],
    },
  },
  payloads: {
    "treasury-yields": "us-treasury/daily_treasury_yield_curve-202608-3entries.xml",
    "fred-api": "fred/api-series-observations-4series.json",
    "fred-graph": "fred/fredgraph-CPIUFDSL.csv",
  },
};
