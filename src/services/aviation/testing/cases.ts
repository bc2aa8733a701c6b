import type { Json, ServiceCases } from "../../../contract/testing/service-cases.js";

const lengthOf =
  (list: string) =>
  (body: Json): number =>
    (body[list] as readonly unknown[]).length;

const schedule = ["aviationstack"];
const noFlights = { flights: [] };
const noPrices = { degraded: true, isIndicative: false, quotes: [] };

export const cases: ServiceCases = {
  operations: {
    "list-airport-delays": {
      kind: "stored",
      absent: { alerts: [], pagination: { nextCursor: "", totalCount: 0 } },
    },
    "get-airport-ops-summary": { kind: "stored", absent: { cacheHit: false, summaries: [] } },
    "list-aviation-news": { kind: "stored", absent: { items: [], source: "unavailable", updatedAt: 0 } },
    "track-aircraft": {
      kind: "on-demand",
      query: "sw_lat=38&sw_lon=-2&ne_lat=42&ne_lon=-1",
      upstreams: ["adsb-lol", "opensky-network.org"],
      failed: { positions: [], source: "error", updatedAt: 0 },
      none: { positions: [], source: "none" },
      rows: lengthOf("positions"),
      // This box is too wide for a circle request, whose answer would also include rows outside the box.
      rowsQuery: "sw_lat=30&sw_lon=-20&ne_lat=60&ne_lon=20",
    },
    "get-video-live-stream-info": {
      kind: "on-demand",
      query: "video_id=VigilDemo-1",
      upstreams: ["youtube-oembed"],
      failed: { error: "lookup_failed", title: "", channelExists: false },
      none: "failed",
      notFound: { error: "video_not_found", title: "", channelExists: false },
      rows: "one",
    },
    "list-airport-flights": {
      kind: "on-demand",
      query: "airport=IST&direction=FLIGHT_DIRECTION_DEPARTURE&limit=100",
      upstreams: schedule,
      failed: { ...noFlights, source: "error", totalAvailable: 0, updatedAt: 0 },
      none: { ...noFlights, source: "none", totalAvailable: 0 },
      rows: lengthOf("flights"),
    },
    "get-flight-status": {
      kind: "on-demand",
      query: "flight_number=VG1001&date=2026-11-18",
      upstreams: schedule,
      failed: { ...noFlights, source: "error", cacheHit: false },
      none: { ...noFlights, source: "none", cacheHit: false },
      rows: lengthOf("flights"),
      // Two airlines sell this flight, so it has two rows.
      rowsQuery: "flight_number=VG1005&date=2026-11-18",
      tellsCacheHit: true,
    },
    "get-carrier-ops": {
      kind: "on-demand",
      query: "airports=LHR,FRA&min_flights=1",
      upstreams: schedule,
      failed: { carriers: [], source: "error", updatedAt: 0 },
      none: { carriers: [], source: "none" },
      rows: ({ carriers }) =>
        (carriers as readonly { totalFlights: number }[]).reduce((sum, { totalFlights }) => sum + totalFlights, 0),
      rowsQuery: "airports=LHR&min_flights=1",
    },
    "search-flight-prices": {
      kind: "on-demand",
      query: "origin=IST&destination=LHR&departure_date=2026-12-10&max_results=50",
      upstreams: ["travelpayouts"],
      failed: { ...noPrices, error: "upstream_error" },
      none: { ...noPrices, error: "no_results" },
      rows: lengthOf("quotes"),
    },
    "search-provider-flights": {
      kind: "on-demand",
      query: "origin=IST&destination=LHR&departure_date=2026-12-10",
      upstreams: ["duffel"],
      failed: { ...noFlights, degraded: true, error: "the provider of flight offers could not be reached" },
      none: { ...noFlights, degraded: false, error: "" },
      rows: lengthOf("flights"),
    },
    "search-provider-dates": {
      kind: "on-demand",
      query: "origin=IST&destination=LHR&start_date=2026-12-01&end_date=2026-12-31&is_round_trip=true&trip_duration=7",
      upstreams: ["travelpayouts"],
      failed: { dates: [], degraded: true, error: "the provider of prices by date could not be reached" },
      none: { dates: [], degraded: false, error: "" },
      rows: lengthOf("dates"),
    },
  },
  datasets: {
    "airport-delays": {
      kind: "stored",
      shownBy: "/api/aviation/v1/list-airport-delays",
      feeds: [
        { upstream: "*", badRow: { match: "dep_iata=LHR" } },
        { upstream: "faa-nas-status", keyless: true, badRow: {} },
      ],
      // The first build requests every airport; later builds request only the airports that are due.
      beginsWithSweep: true,
    },
    "aviation-news": {
      kind: "product",
      // A window so long that no item leaves it during the test.
      shownBy: "/api/aviation/v1/list-aviation-news?window_hours=168&max_items=50",
    },
  },
  additions: {
    "search-provider-dates": { fields: ["isDemoMode"] },
    "search-provider-flights": { fields: ["isDemoMode"] },
  },
  payloads: {
    "adsb-lol": "adsb-lol/v2_lat_lon_dist.json",
    "faa-nas-status": "faa-nas-status/airport-status-information.2026-07-29.xml",
    "icao-notams": "round2/icao-notams/notams-realtime-list.2-records.json",
    "youtube-oembed": "youtube-oembed/oembed_200.json",
    opensky: "opensky/states_all.json",
    "travelpayouts-calendar": "travelpayouts/calendar.json",
    "travelpayouts-month": "travelpayouts/month_matrix.json",
    "travelpayouts-latest": "travelpayouts/latest_prices.json",
    aviationstack: "aviationstack/flights.one-row.json",
    "aviationstack-departures": "aviationstack/flights.one-row.json",
  },
};
