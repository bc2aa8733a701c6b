import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: {
    "list-sanctions-pressure": { kind: "stored", absent: { entries: [], countries: [], programs: [] } },
    "lookup-sanction-entity": {
      kind: "stored",
      absent: { results: [], total: 0, source: "local-lists", dataAvailable: false, lists: [] },
    },
  },
  datasets: {
    "sanctions-lists": {
      kind: "stored",
      // The projection leaves out `semaError`, a member that only a failed read adds to the answer.
      shownBy:
        "/api/sanctions/v1/list-sanctions-pressure?jmespath=%5Bentries%2Ccountries%2Cprograms%2CfetchedAt%2CtotalCount%5D",
      feeds: [{ upstream: "*", badRow: { match: "consolidated.xml" } }],
      parts: {
        sdn: { match: ["exports/SDN.CSV"] },
        consolidated: { match: ["CONS_PRIM.CSV"] },
      },
    },
  },
  additions: { "lookup-sanction-entity": { fields: ["lists"] } },
  payloads: {
    "ofac-sdn": "ofac-sdn/sdn.csv",
    "ofac-consolidated": "groups-hazards/ofac-cons/cons_prim.csv",
    "ca-sema": "groups-hazards/ca-sema/sema-lmes.two-records.xml",
    "un-consolidated": "un-sanctions/UN_consolidated.xml",
  },
};
