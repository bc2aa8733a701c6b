import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: {
    "get-displacement-summary": {
      kind: "stored",
      absent: { dataAvailable: false, fetchedAt: 0, summary: { countries: [], topFlows: [] } },
    },
  },
  datasets: {
    displacement: {
      kind: "stored",
      shownBy: "/api/displacement/v1/get-displacement-summary",
      // The current year (2026) is not published yet, so the bad row is in the answer for 2025.
      feeds: [{ upstream: "unhcr", badRow: { match: "year=2025" } }],
    },
  },
  additions: { "get-displacement-summary": { fields: ["summary.countries.hostStateless"] } },
};
