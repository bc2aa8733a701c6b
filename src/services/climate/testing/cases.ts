import type { ServiceCases } from "../../../contract/testing/service-cases.js";

const noPages = { pagination: { nextCursor: "", totalCount: 0 } };

export const cases: ServiceCases = {
  operations: {
    "list-climate-anomalies": { kind: "stored", absent: { anomalies: [], ...noPages } },
    "list-climate-disasters": { kind: "stored", absent: { disasters: [], ...noPages } },
    "get-co2-monitoring": { kind: "stored", absent: {} },
    "get-ocean-ice-data": { kind: "stored", absent: {} },
    "list-air-quality-data": { kind: "stored", absent: { fetchedAt: 0, stations: [] } },
    "list-climate-news": { kind: "stored", absent: { dataAvailable: false, fetchedAt: 0, items: [] } },
  },
  datasets: {
    "co2-monitoring": {
      kind: "stored",
      shownBy: "/api/climate/v1/get-co2-monitoring",
      feeds: [{ upstream: "noaa-gml", badRow: {} }],
      parts: {
        daily: { match: ["co2_daily"] },
        monthly: { match: ["co2_mm"] },
        annual: { match: ["co2_annmean", "co2_gr"] },
        methane: { match: ["ch4"] },
        nitrousOxide: { match: ["n2o"] },
      },
    },
    "ocean-ice": {
      kind: "stored",
      shownBy: "/api/climate/v1/get-ocean-ice-data",
      feeds: [{ upstream: "*", badRow: { match: "extent_daily" } }],
      parts: {
        extent: { match: ["extent_daily"] },
        median: { match: ["climatology"] },
        heat: { match: ["h22"] },
        temperature: { match: ["timeseries"] },
      },
    },
    "climate-anomalies": {
      kind: "stored",
      shownBy: "/api/climate/v1/list-climate-anomalies",
      // The first request has no mandatory zones, so the dataset can be built without one row of that request.
      feeds: [{ upstream: "open-meteo-archive", badRow: { match: "latitude=48.4" } }],
      parts: { zones1: { match: ["latitude=48.4"] } },
      likeTested: ["zones2", "zones3", "zones4"],
    },
    "climate-normals": { kind: "elsewhere", file: "test/states.test.ts" },
    "climate-disasters": {
      kind: "stored",
      shownBy: "/api/climate/v1/list-climate-disasters",
      feeds: [{ upstream: "*", badRow: { match: "rss.xml" } }],
      // A list without storms is a valid answer.
      parts: { nhc: { except: ["no rows"] } },
    },
    "air-quality": {
      kind: "stored",
      shownBy: "/api/climate/v1/list-air-quality-data",
      feeds: [{ upstream: "*", badRow: {} }],
    },
    "climate-news": {
      kind: "product",
      shownBy: "/api/climate/v1/list-climate-news",
    },
    "climate-reports": { kind: "elsewhere", file: "test/climate-reports.test.ts" },
  },
  additions: {
    "get-co2-monitoring": {
      fields: [
        "monitoring.annualGrowthRateObservedAt",
        "monitoring.methanePpbObservedAt",
        "monitoring.monthlyAverageObservedAt",
        "monitoring.nitrousOxidePpbObservedAt",
        "monitoring.yearAgoPpmObservedAt",
      ],
    },
    "get-ocean-ice-data": {
      fields: [
        "data.arcticExtentObservedAt",
        "data.ohc0700mZjObservedAt",
        "data.seaLevelUnchangedSince",
        "data.sstAnomalyCObservedAt",
      ],
    },
    "list-air-quality-data": { fields: ["stations.station"] },
    "list-climate-disasters": { fields: ["disasters.countryCodes"] },
  },
  payloads: {
    gdacs: "round2/gdacs/rss.2026-07-08.five-items.xml",
    "nasa-eonet": "round2/nasa-eonet/v3_events_open.2025-11.json",
    openaq: "openaq-v3/list_parameter_latest_2.json",
    "nsidc-extent-daily": "nsidc-sea-ice/N_seaice_extent_daily_v4.0.csv",
    "noaa-co2-daily": "round2/noaa-gml/co2_daily_mlo.2026-01-03.txt",
    "noaa-co2-monthly": "noaa-gml/co2_mm_mlo.txt",
    "noaa-co2-annual": "round2/noaa-gml/co2_annmean_gl.2025-09-05.txt",
    "noaa-co2-growth": "noaa-gml/co2_gr_mlo.txt",
    "noaa-ch4-monthly": "noaa-gml/ch4_mm_gl.txt",
    "noaa-n2o-monthly": "noaa-gml/n2o_mm_gl.txt",
  },
};
