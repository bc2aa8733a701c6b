import { describe, expect, test } from "vitest";
import { started } from "./testing/harness.js";

const NOW = "2026-11-18T12:00:00Z";
const AIR =
  "https://air-quality-api.open-meteo.com/v1/air-quality?latitude=48.9,35.7&longitude=2.4,51.4&current=pm2_5,us_aqi&timezone=UTC";
const ARCHIVE =
  "https://archive-api.open-meteo.com/v1/archive?latitude=48.9,-20&longitude=2.4,30&start_date=2026-11-01&end_date=2026-11-17&daily=temperature_2m_mean,precipitation_sum&timezone=UTC";
const NHC = "https://mapservices.weather.noaa.gov/tropical/rest/services/tropical/NHC_tropical_weather/MapServer";

/**
 * Addresses of simulated upstreams that need no key, each with a pattern that matches its rows and the minimum number
 * of rows.
 */
const addresses: readonly (readonly [url: string, row: RegExp, atLeast: number])[] = [
  ["https://gml.noaa.gov/webdata/ccgg/trends/co2/co2_daily_mlo.txt", /^ *\d{4} +\d+ +\d+ /gm, 15_000],
  ["https://gml.noaa.gov/webdata/ccgg/trends/co2/co2_mm_mlo.txt", /^ *\d{4} +\d+ +\d/gm, 800],
  ["https://gml.noaa.gov/webdata/ccgg/trends/co2/co2_annmean_gl.txt", /^ *\d{4} /gm, 45],
  ["https://gml.noaa.gov/webdata/ccgg/trends/co2/co2_gr_mlo.txt", /^ *\d{4} /gm, 60],
  ["https://gml.noaa.gov/webdata/ccgg/trends/ch4/ch4_mm_gl.txt", /^ *\d{4} /gm, 500],
  ["https://gml.noaa.gov/webdata/ccgg/trends/n2o/n2o_mm_gl.txt", /^ *\d{4} /gm, 290],
  ["https://noaadata.apps.nsidc.org/NOAA/G02135/north/daily/data/N_seaice_extent_daily_v4.0.csv", /^\d{4},/gm, 15_000],
  [
    "https://noaadata.apps.nsidc.org/NOAA/G02135/north/daily/data/N_seaice_extent_climatology_1981-2010_v4.0.csv",
    /^\d{3},/gm,
    366,
  ],
  ["https://sealevel.nasa.gov/overlay-global-mean-sea-level", /since 1993: <strong>[\d.]+/g, 1],
  [
    "https://www.ncei.noaa.gov/data/oceans/woa/DATA_ANALYSIS/3M_HEAT_CONTENT/DATA/basin/yearly/h22-w0-700m.dat",
    /^\d{4}\.500/gm,
    70,
  ],
  [
    "https://www.ncei.noaa.gov/data/noaa-global-surface-temperature/v6.1/access/timeseries/",
    /<a href="aravg\.mon\.ocean/g,
    2,
  ],
  [ARCHIVE, /"daily":/g, 2],
  [AIR, /"current":/g, 2],
  ["https://www.gdacs.org/xml/rss.xml", /<item>/g, 5],
  ["https://eonet.gsfc.nasa.gov/api/v3/events?status=open&days=30", /"id":"EONET_/g, 20],
  [`${NHC}?f=json`, /Forecast Points/g, 15],
  [`${NHC}/6/query?where=1=1&outFields=*&f=geojson`, /"tau":/g, 5],
  ["https://www.carbonbrief.org/feed", /<item>/g, 8],
  ["https://www.climatecentral.org/rss", /<entry>/g, 8],
  [
    "https://api.unhcr.org/population/v1/population/?year=2025&limit=10000&page=1&coo_all=true&coa_all=true",
    /"coo_iso":/g,
    2_500,
  ],
  [
    "https://storage.googleapis.com/data.gdeltproject.org/gdeltv2/masterfilelist.txt",
    /^\d+ [0-9a-f]{32} http:\/\/data\.gdeltproject\.org\/gdeltv2\/\d{14}\.export\.CSV\.zip$/gm,
    8,
  ],
  ["https://ucdp.uu.se/downloads/candidateged/GEDEvent_v26_0_10.csv", /^\d+,SIM-/gm, 100],
  ["https://data.humdata.org/api/3/action/package_show?id=hdx-hapi-conflict-event", /_\d{4}\.csv/g, 3],
  [
    "https://data.humdata.org/dataset/simulated/resource/simulated/download/hdx_hapi_conflict_event_global_2026.csv",
    /^[A-Z]{3},/gm,
    1_000,
  ],
  ["https://nasstatus.faa.gov/api/airport-status-information", /<ARPT>/g, 6],
  ["https://www.flightglobal.com/rss", /<item>/g, 15],
  ["https://onemileatatime.com/feed/", /<item>/g, 15],
  ["https://aviationweek.com/rss", /<media:content/g, 15],
  ["https://opensky-network.org/api/states/all", /\["[0-9a-f]{6}"/g, 500],
  ["https://opensky-network.org/api/states/all?icao24=3c6444", /\["3c6444"/g, 1],
  ["https://api.adsb.lol/v2/hex/3c6444", /"hex":"3c6444"/g, 1],
  ["https://api.adsb.lol/v2/callsign/VGL100", /"flight":"VGL100 {2}"/g, 1],
  ["https://www.youtube.com/oembed?url=https://www.youtube.com/watch?v=VigilDemo-1&format=json", /"title":/g, 1],
];

describe.each(addresses)("%s", (url, row, atLeast) => {
  test("the answer has rows", async () => {
    const body = await (await started(NOW)).text(url);
    expect(body.match(row)?.length ?? 0).toBeGreaterThanOrEqual(atLeast);
  });

  test("the answer is the same for the same seed and clock", async () => {
    const [first, second] = [await started(NOW), await started(NOW)];
    expect(await first.text(url)).toBe(await second.text(url));
  });

  test("the 'empty' fault and the 'changed' fault change the answer", async () => {
    const simulator = await started(NOW);
    const healthy = await simulator.text(url);
    simulator.faults.set({ upstream: "*" }, { kind: "empty" });
    const empty = await simulator.text(url);
    expect(empty).not.toBe(healthy);
    simulator.faults.set({ upstream: "*" }, { kind: "changed" });
    expect(await simulator.text(url)).not.toBe(healthy);
    if (url.includes(".json") || url.includes("api/v3")) expect(() => JSON.parse(empty)).not.toThrow();
  });
});

test.each([
  ["openaq", "https://api.openaq.org/v3/locations?parameters_id=2&limit=1000&page=1", 401, { "x-api-key": "k" }],
  [
    "cloudflare-radar",
    "https://api.cloudflare.com/client/v4/radar/traffic_anomalies?dateRange=7d",
    403,
    { authorization: "Bearer k" },
  ],
  [
    "hdx-hapi",
    "https://hapi.humdata.org/api/v2/coordination-context/conflict-events?start_date=2026-10-01",
    403,
    { "x-hdx-hapi-app-identifier": "k" },
  ],
  [
    "ucdp",
    "https://ucdpapi.pcr.uu.se/api/gedevents/26.1?pagesize=9",
    401,
    { "x-ucdp-access-token": "demo-ucdp-token" },
  ],
  [
    "travelpayouts",
    "https://api.travelpayouts.com/v2/prices/month-matrix?origin=IST&destination=LHR&month=2026-12-01",
    401,
    { "x-access-token": "k" },
  ],
])("%s refuses to answer without its key", async (_, url, status, headers) => {
  const simulator = await started(NOW);
  expect((await simulator.get(url)).status).toBe(status);
  expect((await simulator.get(url, headers)).status).toBe(200);
});

test("without a valid key, WAQI refuses with status 200 and ReliefWeb with 403", async () => {
  const simulator = await started(NOW);
  const map = "https://api.waqi.info/map/bounds/?latlng=0,-60,90,60";
  expect(JSON.parse(await simulator.text(map))).toEqual({ status: "error", data: "Invalid key" });
  expect(JSON.parse(await simulator.text(`${map}&token=k`))).toMatchObject({ status: "ok" });
  const disasters = "https://api.reliefweb.int/v2/disasters";
  expect((await simulator.get(disasters)).status).toBe(403);
  expect((await simulator.get(`${disasters}?appname=x`)).status).toBe(200);
});

test.each([
  ["https://api.aviationstack.com/v1/flights?dep_iata=LHR&flight_date=2026-11-18", 401, "access_key"],
  ["https://dataservices.icao.int/api/notams-realtime-list?locations=EGLL,LFPG", 403, "api_key"],
])("%s is refused without its key", async (url, status, name) => {
  const simulator = await started(NOW);
  expect((await simulator.get(url)).status).toBe(status);
  expect((await simulator.get(`${url}&${name}=k`)).status).toBe(200);
});

test("the simulator lists the keys for the demo", async () => {
  expect((await started(NOW)).credentials).toEqual({
    ACLED_EMAIL: expect.stringContaining("demo"),
    ACLED_PASSWORD: expect.stringContaining("demo"),
    AVIATIONSTACK_API: expect.stringContaining("demo"),
    CLOUDFLARE_API_TOKEN: expect.stringContaining("demo"),
    DUFFEL_API_TOKEN: expect.stringContaining("demo"),
    HDX_HAPI_APP_IDENTIFIER: expect.stringMatching(/^\w+$/),
    ICAO_API_KEY: expect.stringContaining("demo"),
    OPENAQ_API_KEY: expect.stringContaining("demo"),
    OPENSKY_CLIENT_ID: expect.stringContaining("demo"),
    OPENSKY_CLIENT_SECRET: expect.stringContaining("demo"),
    RELIEFWEB_APPNAME: expect.stringContaining("demo"),
    TRAVELPAYOUTS_API_TOKEN: expect.stringContaining("demo"),
    UCDP_ACCESS_TOKEN: expect.stringContaining("demo"),
    VIGIL_BRAVE_SEARCH_KEY: expect.stringContaining("demo"),
    VIGIL_X_BEARER_TOKEN: expect.stringContaining("demo"),
    WAQI_API_KEY: expect.stringContaining("demo"),
  });
});

test("a POST is answered by upstreams that accept it, and refused elsewhere", async () => {
  const simulator = await started(NOW);
  const post = (path: string) => fetch(`${simulator.baseUrl}/${path}`, { method: "POST", body: '{"limit":3}' });
  const answer = (await (await post("api.reliefweb.int/v2/disasters?appname=x")).json()) as { data: unknown[] };
  expect(answer.data).toHaveLength(3);
  expect((await post("www.gdacs.org/xml/rss.xml")).status).toBe(405);
});

test("aviationstack takes its key in the query, and writes the operator of a codeshare in lower case", async () => {
  const simulator = await started(NOW);
  const page = "https://api.aviationstack.com/v1/flights?dep_iata=IST&limit=100";
  expect((await simulator.get(page)).status).toBe(401);
  const { data } = JSON.parse(await simulator.text(`${page}&access_key=k`)) as {
    data: { flight_status: string; departure: { delay: number | null }; flight: { codeshared: object | null } }[];
  };
  expect(new Set(data.map(({ flight_status }) => flight_status))).toContain("landed");
  expect(data.some(({ departure }) => departure.delay === null)).toBe(true);
  expect(data.find(({ flight }) => flight.codeshared)?.flight.codeshared).toMatchObject({
    airline_iata: expect.stringMatching(/^[a-z]{2}$/),
  });
});

test.each([
  ["private-123", 403, "Forbidden"],
  ["unknown-123", 404, "Not Found"],
  ["short", 400, "Bad Request"],
])("the video %s is refused in plain text", async (id, status, body) => {
  const answer = await (await started(NOW)).get(
    `https://www.youtube.com/oembed?url=${encodeURIComponent(`https://www.youtube.com/watch?v=${id}`)}&format=json`,
  );
  expect([answer.status, await answer.text()]).toEqual([status, body]);
});

test("as in reality, positions include aircraft on the ground, non-ICAO addresses, padded callsigns and nulls", async () => {
  const simulator = await started(NOW);
  const states = JSON.parse(await simulator.text("https://opensky-network.org/api/states/all")) as {
    states: unknown[][];
  };
  expect(states.states.some((state) => state[5] === null)).toBe(true);
  expect(states.states.some((state) => state[1] === "")).toBe(true);
  const everywhere = await Promise.all(
    [-40, -20, 0, 20, 40, 60]
      .flatMap((lat) =>
        Array.from({ length: 24 }, (_, index) => `https://api.adsb.lol/v2/lat/${lat}/lon/${index * 15 - 180}/dist/250`),
      )
      .map((url) => simulator.text(url)),
  );
  const text = everywhere.join("");
  for (const quirk of [/"alt_baro":"ground"/, /"hex":"~/, /"flight":"VGL\d{3} {2}"/]) expect(text).toMatch(quirk);
});
