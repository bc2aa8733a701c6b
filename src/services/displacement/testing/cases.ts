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
      // The current year is not published yet.
      feeds: [{ upstream: "unhcr", badRow: { match: "year=2025" } }],
    },
  },
  additions: { "get-displacement-summary": { fields: ["summary.countries.hostStateless"] } },
};
