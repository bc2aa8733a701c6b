import { HOUR_MS } from "../../../kit/clock.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

const HOST = "mapservices.weather.noaa.gov";
const SERVER = "/tropical/rest/services/tropical/NHC_tropical_weather/MapServer";

interface Storm {
  readonly name: string;
  readonly basin: string;
  readonly latitude: number;
  readonly longitude: number;
}

/** The active storms, each with the number of its first layer. */
const storms: readonly (readonly [firstLayer: number, storm: Storm])[] = [
  [4, { name: "Simula", basin: "AL", latitude: 23.3, longitude: -82.4 }],
  [160, { name: "Ficta", basin: "EP", latitude: 16.2, longitude: -128.5 }],
];
const CONE_LAYER = 4;
const PAST_LAYER = 7;

const layer = (number: number, featuresOf: (now: number) => readonly object[]) => ({
  host: HOST,
  path: `${SERVER}/${number}/query`,
  handle: ({ clock }: SimulatedRequest): SimulatedAnswer => ({
    status: 200,
    contentType: "application/geo+json",
    body: JSON.stringify({ type: "FeatureCollection", features: featuresOf(clock.now()) }),
  }),
  variants: {
    changed: (json: string) => json.replace('"FeatureCollection"', '"FeatureSet"'),
    empty: (json: string) => json.replace(/"features":\[.*\]/s, '"features":[]'),
    badRow: (json: string) => rewriteMiddle(json, /"(?:lat|type)":(?:"Polygon"|[-\d.]+)/g, () => '"lat":"north"'),
  },
});

/**
 * Simulates the National Hurricane Center's map server: serves the cones and past tracks of storms. The server's
 * forecast points are simulated in `climate`.
 */
export const upstream = simulatedUpstream({
  name: "nhc-storm-layers",
  routes: storms.flatMap(([first, storm]) => [
    layer(first + CONE_LAYER, () => [coneOf(storm)]),
    layer(first + PAST_LAYER, (now) => pastOf(storm, now)),
  ]),
});

const CONE_CORNERS = 1_500;

/** Creates a cone whose ring has as many points as a real one. */
function coneOf({ name, basin, latitude, longitude }: Storm): object {
  const ring = Array.from({ length: CONE_CORNERS + 1 }, (_, index) => {
    const angle = ((index % CONE_CORNERS) / CONE_CORNERS) * 2 * Math.PI;
    return [longitude - 1.5 + 2.5 * Math.cos(angle), latitude + 1 + 1.5 * Math.sin(angle)];
  });
  return {
    type: "Feature",
    id: 1,
    geometry: { type: "Polygon", coordinates: [ring] },
    // The cone may come from an earlier advisory than the list of current storms. Its storm class may then differ.
    properties: { stormname: name, stormtype: "TS", basin, fcstprd: 120, advdate: "Simulated" },
  };
}

const PAST_STEPS = 8;

function pastOf({ name, basin, latitude, longitude }: Storm, now: number): readonly object[] {
  const newest = Math.floor(now / (6 * HOUR_MS));
  return Array.from({ length: PAST_STEPS }, (_, index) => {
    const stepsAgo = PAST_STEPS - index;
    const hour = new Date((newest - stepsAgo) * 6 * HOUR_MS).toISOString().slice(0, 13);
    const [lat, lon] = [latitude - stepsAgo * 0.4, longitude + stepsAgo * 0.7];
    return {
      type: "Feature",
      id: index + 1,
      geometry: { type: "Point", coordinates: [lon, lat] },
      properties: {
        stormname: name,
        basin,
        dtg: Number(hour.replaceAll(/\D/g, "")),
        intensity: 30 + index * 5,
        lat,
        lon,
        mslp: 9_999,
      },
    };
  });
}
