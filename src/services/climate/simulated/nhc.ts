import { HOUR_MS } from "../../../kit/clock.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

const HOST = "mapservices.weather.noaa.gov";
const SERVER = "/tropical/rest/services/tropical/NHC_tropical_weather/MapServer";

/** The National Hurricane Center's map server: the list of layers, and a layer of forecast points for each storm. */
export const upstream = simulatedUpstream({
  name: "nhc",
  routes: [
    {
      host: HOST,
      path: SERVER,
      handle: answerLayers,
      variants: {
        changed: (json) => json.replaceAll("Forecast Points", "Predictions"),
        empty: (json) => json.replace(/"layers":\[.*\]/s, '"layers":[]'),
        badRow: (json) => json,
      },
    },
    {
      host: HOST,
      path: `${SERVER}/*`,
      handle: answerPoints,
      variants: {
        changed: (json) => json.replace('"FeatureCollection"', '"FeatureSet"'),
        empty: (json) => json.replace(/"features":\[.*\]/s, '"features":[]'),
        badRow: (json) => rewriteMiddle(json, /"tau":\d+/g, () => '"tau":"abc"'),
      },
    },
  ],
});

const STORMS = [
  "AT1",
  "AT2",
  "AT3",
  "AT4",
  "AT5",
  "EP1",
  "EP2",
  "EP3",
  "EP4",
  "EP5",
  "CP1",
  "CP2",
  "CP3",
  "CP4",
  "CP5",
];
const LAYERS_PER_STORM = 26;
const FIRST_LAYER = 4;
const POINTS_LAYER = 2;

function json(value: unknown): SimulatedAnswer {
  return { status: 200, contentType: "application/json;charset=utf-8", body: JSON.stringify(value) };
}

function answerLayers(): SimulatedAnswer {
  const layers = STORMS.flatMap((storm, index) => {
    const first = FIRST_LAYER + index * LAYERS_PER_STORM;
    return [
      { id: first, name: storm, type: "Group Layer" },
      { id: first + POINTS_LAYER, name: `${storm} Forecast Points`, type: "Feature Layer" },
      { id: first + POINTS_LAYER + 1, name: `${storm} Forecast Track`, type: "Feature Layer" },
    ];
  });
  return json({ currentVersion: 11.1, serviceDescription: "Simulated", layers });
}

/** Positions of the season's two storms: one off Havana, one far from land. */
const active: Readonly<
  Record<string, { name: string; basin: string; latitude: number; longitude: number; category: number }>
> = {
  AT1: { name: "Hurricane Simula", basin: "AL", latitude: 23.3, longitude: -82.4, category: 3 },
  EP2: { name: "Tropical Storm Ficta", basin: "EP", latitude: 16.2, longitude: -128.5, category: 0 },
};

function answerPoints({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const layer = Number(/\/(\d+)\/query$/.exec(url.pathname)?.[1]) - FIRST_LAYER;
  const name = STORMS[Math.floor(layer / LAYERS_PER_STORM)] ?? "";
  const storm = layer % LAYERS_PER_STORM === POINTS_LAYER ? active[name] : undefined;
  // Advisories come every six hours.
  const advisory = Math.floor(clock.now() / (6 * HOUR_MS));
  const random = streamFor(seed, `storm ${name} ${advisory}`);
  const hours = storm ? [0, 12, 24, 36, 48] : [];
  const features = hours.map((tau, index) => {
    const [lat, lon] = [(storm?.latitude ?? 0) + index * 0.4, (storm?.longitude ?? 0) - index * 0.7];
    const maxwind = 35 + (storm?.category ?? 0) * 22 + Math.round(random() * 5);
    return {
      type: "Feature",
      id: index + 1,
      geometry: { type: "Point", coordinates: [lon, lat] },
      properties: {
        objectid: index + 1,
        stormname: storm?.name,
        basin: storm?.basin,
        stormnum: 9,
        tau,
        maxwind,
        lat,
        lon,
        stormtype: storm?.category ? "HU" : "TS",
        ssnum: storm?.category,
        advisnum: String(advisory % 60),
        advdate: "Simulated",
        idp_filedate: advisory * 6 * HOUR_MS,
        gust: maxwind + 15,
        mslp: 9_999,
      },
    };
  });
  return json({ type: "FeatureCollection", features });
}
