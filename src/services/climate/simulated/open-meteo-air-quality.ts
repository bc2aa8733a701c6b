import { HOUR_MS } from "../../../kit/clock.js";
import { bell, streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** Open-Meteo's model of the current air quality, for one point or several. */
export const upstream = simulatedUpstream({
  name: "open-meteo-air-quality",
  routes: [
    {
      host: "air-quality-api.open-meteo.com",
      path: "/v1/air-quality",
      handle: answerNow,
      variants: {
        changed: (json) => json.replaceAll('"pm2_5":', '"particles":'),
        empty: (json) => json.replaceAll(/"pm2_5":[\d.]+/g, '"pm2_5":null'),
        badRow: (json) => rewriteMiddle(json, /"current":\{[^}]*\}/g, () => '"current":"abc"'),
      },
    },
  ],
});

function answerNow({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const [latitudes = [], longitudes = []] = ["latitude", "longitude"].map((name) =>
    (url.searchParams.get(name) ?? "").split(",").filter(Boolean).map(Number),
  );
  const contentType = "application/json; charset=utf-8";
  if (latitudes.length === 0 || latitudes.length !== longitudes.length) {
    const reason = "Simulated: as many latitudes as longitudes are required";
    return { status: 400, contentType, body: JSON.stringify({ error: true, reason }) };
  }
  const hour = Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
  const locations = latitudes.map((latitude, index) => locationOf(seed, latitude, longitudes[index] ?? 0, hour));
  return { status: 200, contentType, body: JSON.stringify(locations.length === 1 ? locations[0] : locations) };
}

function locationOf(seed: number, latitude: number, longitude: number, hour: number): object {
  const base = 5 + 60 * streamFor(seed, `air ${latitude} ${longitude}`)() ** 3;
  const random = streamFor(seed, `air ${latitude} ${longitude} ${hour}`);
  const value = Math.round(Math.max(0.5, base + 5 * bell(random)) * 10) / 10;
  return {
    latitude: Math.round(latitude * 10) / 10,
    longitude: Math.round(longitude * 10) / 10,
    elevation: 30,
    generationtime_ms: 0.05,
    utc_offset_seconds: 0,
    timezone: "GMT",
    timezone_abbreviation: "GMT",
    current_units: { time: "iso8601", interval: "seconds", pm2_5: "μg/m³", us_aqi: "USAQI" },
    current: {
      time: new Date(hour).toISOString().slice(0, 16),
      interval: 3_600,
      pm2_5: random() < 0.02 ? null : value,
      us_aqi: Math.round(value * 3),
    },
  };
}
