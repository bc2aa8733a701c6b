import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../kit/clock.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { quakesUntil, type SimulatedQuake } from "./models/quakes.js";

/**
 * Simulates the US Geological Survey's GeoJSON summary, which is rebuilt each minute. Events are listed newest first;
 * the newest may have no magnitude yet.
 */
export const upstream = simulatedUpstream({
  name: "usgs-earthquakes",
  routes: [
    {
      host: "earthquake.usgs.gov",
      path: "/earthquakes/feed/v1.0/summary/4.5_week.geojson",
      handle: answerWeek,
      variants: {
        changed: (json) => json.replace('"FeatureCollection"', '"FeatureSet"'),
        empty: (json) => json.replace(/"features":\[.*\],"bbox"/s, '"features":[],"bbox"'),
        badRow: (json) => rewriteMiddle(json, /"coordinates":\[[^\]]*\]/g, () => '"coordinates":[0,9000,1]'),
      },
    },
  ],
});

const WINDOW_MS = 7 * DAY_MS;
/** Time until the magnitude of a new event is published. */
const COMPUTED_AFTER_MS = 10 * MINUTE_MS;

function answerWeek({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  const now = clock.now();
  const quakes = quakesUntil(seed, now, WINDOW_MS).toReversed();
  const builtAt = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const body = JSON.stringify({
    type: "FeatureCollection",
    metadata: {
      generated: builtAt,
      url: "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/4.5_week.geojson",
      title: "Simulated Magnitude 4.5+ Earthquakes, Past Week",
      status: 200,
      api: "1.14.1",
      count: quakes.length,
    },
    features: quakes.map((quake) => featureOf(quake, now)),
    bbox: [-180, -90, -10, 180, 90, 700],
  });
  return { status: 200, contentType: "application/json; charset=utf-8", body, lastModifiedAt: builtAt };
}

function featureOf({ id, at, latitude, longitude, depthKm, magnitude, place }: SimulatedQuake, now: number) {
  const code = `sim${id}`;
  const mag = now - at < COMPUTED_AFTER_MS ? null : magnitude;
  return {
    type: "Feature",
    properties: {
      mag,
      place: `${place} (simulated)`,
      time: at,
      updated: Math.min(now, at + 3 * HOUR_MS),
      tz: null,
      url: `https://earthquake.usgs.gov/earthquakes/eventpage/us${code}`,
      detail: `https://earthquake.usgs.gov/earthquakes/feed/v1.0/detail/us${code}.geojson`,
      felt: null,
      cdi: null,
      mmi: null,
      alert: null,
      status: now - at < DAY_MS ? "automatic" : "reviewed",
      tsunami: magnitude >= 7 ? 1 : 0,
      sig: Math.round((magnitude ** 2 * 1_000) / 65),
      net: "us",
      code,
      ids: `,us${code},`,
      sources: ",us,",
      types: ",origin,phase-data,",
      nst: null,
      dmin: 1.5,
      rms: 0.9,
      gap: 42,
      magType: magnitude >= 6 ? "mww" : "mb",
      type: "earthquake",
      title: `M ${magnitude} - ${place} (simulated)`,
    },
    geometry: { type: "Point", coordinates: [longitude, latitude, depthKm] },
    id: `us${code}`,
  };
}
