import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: {
    "list-internet-traffic-anomalies": { kind: "stored", absent: { anomalies: [], totalCount: 0 } },
  },
  datasets: {
    "internet-traffic-anomalies": {
      kind: "stored",
      shownBy: "/api/infrastructure/v1/list-internet-traffic-anomalies",
      feeds: [{ upstream: "cloudflare-radar", badRow: {} }],
    },
  },
};
