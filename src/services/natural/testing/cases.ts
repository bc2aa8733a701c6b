import type { ServiceCases } from "../../../contract/testing/service-cases.js";

/** An empty list is a valid answer: there may be no active storm and no warning signal in force. */
const mayBeEmpty = { except: ["no rows"] };

export const cases: ServiceCases = {
  operations: {
    "list-natural-events": {
      kind: "stored",
      absent: { events: [], dataAvailable: false, pagination: { nextCursor: "", totalCount: 0 } },
    },
  },
  datasets: {
    "natural-events": {
      kind: "stored",
      shownBy: "/api/natural/v1/list-natural-events",
      feeds: [{ upstream: "*", ...mayBeEmpty, badRow: { match: "geteventlist" } }],
      parts: { nhc: mayBeEmpty, hko: mayBeEmpty },
    },
  },
  payloads: {
    "gdacs-events": "groups-hazards/gdacs-geteventlist/search.2026-09-30.subset4.json",
    "nasa-eonet-events": "groups-hazards/nasa-eonet/v3_events_open.2025-11-08.first200.json",
    "nhc-current-storms": "groups-hazards/nhc/CurrentStorms.2026-09-27.subset.json",
  },
};
