import { HOUR_MS } from "../../../kit/clock.js";
import { places } from "../../../simulator/models/places.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** The map of the World Air Quality Index: the stations in a box, each with a string, a number or "-" as its index. */
export const upstream = simulatedUpstream({
  name: "waqi",
  credentials: { WAQI_API_KEY: "demo-waqi-token" },
  routes: [
    {
      host: "api.waqi.info",
      path: "/map/bounds/",
      handle: answerBounds,
      variants: {
        changed: (json) => json.replace('"data":', '"stations":'),
        empty: (json) => json.replace(/"data":\[.*\]/s, '"data":[]'),
        badRow: (json) => rewriteMiddle(json, /"aqi":[^,]*/g, () => '"aqi":"abc"'),
      },
    },
  ],
});

function answerBounds({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const answer = (value: unknown): SimulatedAnswer => ({
    status: 200,
    contentType: "application/json; charset=utf-8",
    body: JSON.stringify(value),
  });
  if (!url.searchParams.get("token")) return answer({ status: "error", data: "Invalid key" });
  const [south = 0, west = 0, north = 0, east = 0] = (url.searchParams.get("latlng") ?? "").split(",").map(Number);
  const hour = Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
  const data = places.flatMap((place, index) => {
    const isInside =
      place.latitude >= south && place.latitude < north && place.longitude >= west && place.longitude < east;
    return isInside ? [0, 1, 2].map((station) => stationOf(seed, index * 3 + station, place, hour)) : [];
  });
  return answer({ status: "ok", data });
}

function stationOf(seed: number, index: number, place: (typeof places)[number], hour: number): object {
  const random = streamFor(seed, `waqi ${index} ${hour}`);
  const aqi = Math.round(20 + 160 * random() ** 2);
  const forms = [String(aqi), aqi, String(aqi), "-"];
  return {
    lat: place.latitude + (index % 3) * 0.1,
    lon: place.longitude,
    uid: index % 5 === 0 ? -index : index,
    aqi: forms[index % 29 === 0 ? 3 : index % 3],
    // Local time with its offset.
    station: {
      name: `Simulated ${index}, ${place.name}`,
      time: new Date(hour + 9 * HOUR_MS).toISOString().replace(".000Z", "+09:00"),
    },
  };
}
