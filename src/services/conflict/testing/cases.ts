import type { ServiceCases } from "../../../contract/testing/service-cases.js";
import { windowStart } from "../rules/window.js";

const noEvents = { events: [], pagination: { nextCursor: "", totalCount: 0 } };

export const cases: ServiceCases = {
  operations: {
    "list-alpha-events": { kind: "stored", absent: noEvents },
    "list-beta-events": { kind: "stored", absent: noEvents },
    "get-humanitarian-summary": { kind: "stored", query: "country_code=SD", absent: {} },
  },
  datasets: {
    "alpha-events": {
      kind: "stored",
      shownBy: "/api/conflict/v1/list-alpha-events",
      feeds: [
        { upstream: "*", badRow: { match: "api/acled/read" } },
        // In GDELT's list of files, a broken line looks like the lines that are skipped, so it is not counted. The
        // listed export files get no bad row, because a file is refused as a whole if its size or hash differs from
        // the list.
        { upstream: "gdelt", keyless: true, badRow: { match: "masterfilelist", isCounted: false } },
      ],
      caughtUp: { gdelt: (now) => ({ spans: [{ firstExportAt: windowStart(now), lastExportAt: now }] }) },
    },
    "beta-events": {
      kind: "stored",
      shownBy: "/api/conflict/v1/list-beta-events",
      // 26.0.10 is the newest candidate release at the time of the tests. Requests for newer releases get a 404.
      feeds: [{ upstream: "ucdp", badRow: { match: "gedevents/26.0.10" } }],
      parts: {
        annual: {
          match: ["gedevents/26.1", "downloads/ged/ged261"],
          // After a 404, the previous release is requested, so the part does not fail. Retry-After also delays the
          // other part, because both parts use the same host.
          except: ["404", "429 with Retry-After"],
        },
        candidate: { match: ["gedevents/26.0", "candidateged"] },
      },
    },
    "humanitarian-summary": {
      kind: "stored",
      shownBy: "/api/conflict/v1/get-humanitarian-summary?country_code=SD",
      feeds: [
        { upstream: "hdx-hapi", badRow: {} },
        { upstream: "hdx-hapi", keyless: true, badRow: { match: "_2026.csv" } },
      ],
    },
  },
  additions: {
    "get-humanitarian-summary": { fields: ["summary.civilianTargetingEvents", "summary.civilianTargetingFatalities"] },
  },
  payloads: {
    acled: "round2/acled/acled-read-oauth-era-10rows.json",
    "ucdp-annual": "ucdp/ged191-subset.zip",
    "ucdp-candidate": "round2/ucdp/GEDEvent_v26_0_8.2-rows.csv",
    "hdx-hapi-conflict-csv": "hdx-hapi/hdx_hapi_conflict_event_global_1997.csv",
    "gdelt-events": "round2/gdelt/20260920150000.export.4-rows.CSV",
  },
};
