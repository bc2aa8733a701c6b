import type { ServiceCases } from "../../../contract/testing/service-cases.js";

export const cases: ServiceCases = {
  operations: {
    "list-earthquakes": {
      kind: "stored",
      absent: { earthquakes: [], pagination: { nextCursor: "", totalCount: 0 } },
    },
  },
  datasets: {
    earthquakes: {
      kind: "stored",
      shownBy: "/api/seismology/v1/list-earthquakes",
      feeds: [{ upstream: "*", badRow: {} }],
    },
  },
  payloads: { "usgs-earthquakes": "groups-hazards/usgs-earthquakes/4.5_week.2020-11-02.geojson" },
};
