import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { places } from "../../../simulator/models/places.js";
import { bell, rememberPerSeed, streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** OpenAQ v3: stations, and the newest reading of each, in pages. */
export const upstream = simulatedUpstream({
  name: "openaq",
  credentials: { OPENAQ_API_KEY: "demo-openaq-key" },
  routes: [
    {
      host: "api.openaq.org",
      path: "/v3/locations",
      handle: (request) => page(request, stationsOf(request.seed).map(locationOf)),
      variants: {
        changed: (json) => json.replace('"results":', '"items":'),
        empty: (json) => json.replace(/"results":\[.*\]/s, '"results":[]'),
        badRow: (json) => rewriteMiddle(json, /"id":\d+,"name":"Simulated/g, () => '"id":"abc","name":"Simulated'),
      },
    },
    {
      host: "api.openaq.org",
      path: "/v3/parameters/2/latest",
      handle: (request) =>
        page(
          request,
          stationsOf(request.seed)
            .map((station) => latestOf(station, request))
            .filter(({ datetime }) => isWanted(datetime.utc, request)),
        ),
      variants: {
        changed: (json) => json.replace('"results":', '"items":'),
        empty: (json) => json.replace(/"results":\[.*\]/s, '"results":[]'),
        badRow: (json) => rewriteMiddle(json, /"value":-?[\d.]+/g, () => '"value":"abc"'),
      },
    },
  ],
});

const STATIONS = 1_400;

interface Station {
  readonly id: number;
  readonly place: (typeof places)[number];
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly base: number;
}

const stationsOf = rememberPerSeed((seed): readonly Station[] =>
  Array.from({ length: STATIONS }, (_, index) => {
    const random = streamFor(seed, `openaq ${index}`);
    const place = places[index % places.length] as Station["place"];
    const longitude = place.longitude + random() - 0.5;
    const isLost = index % 97 === 0;
    return {
      id: 1_000 + index,
      place,
      base: 4 + 40 * random() ** 3,
      latitude: isLost ? null : Math.round((place.latitude + random() - 0.5) * 1e4) / 1e4,
      // Some networks give longitudes from 0 to 360 degrees.
      longitude: isLost
        ? null
        : Math.round((index % 211 === 5 && longitude < 0 ? longitude + 360 : longitude) * 1e4) / 1e4,
    };
  }),
);

/** Returns a town for every fourth station, otherwise null. Half of these stations share one town per country. */
function localityOf(id: number, country: string): string | null {
  if (id % 4 !== 0) return null;
  return id % 8 === 0 ? `Simulated town of ${country}` : `Simulated town ${id}`;
}

function locationOf({ id, place, latitude, longitude }: Station): object {
  return {
    id,
    name: `Simulated station ${id}`,
    locality: localityOf(id, place.name),
    timezone: "UTC",
    country: { id: 1, code: place.alpha2, name: place.name },
    owner: { id: 1, name: "Simulated" },
    provider: { id: 1, name: "Simulated" },
    isMobile: false,
    isMonitor: true,
    coordinates: { latitude, longitude },
  };
}

/** False for a reading that is older than the start time in the request. A request may have no start time. */
function isWanted(utc: string, { url }: SimulatedRequest): boolean {
  return Date.parse(utc) >= Date.parse(url.searchParams.get("datetime_min") ?? "1970-01-01T00:00:00Z");
}

function latestOf({ id, latitude, longitude, base }: Station, { clock, seed }: SimulatedRequest) {
  const hour = Math.floor(clock.now() / HOUR_MS) * HOUR_MS;
  const random = streamFor(seed, `openaq ${id} ${hour}`);
  // Some stations fell silent days ago, and some are broken.
  const at = id % 50 === 7 ? hour - 3 * DAY_MS : hour;
  const value = id % 301 === 3 ? -1 : Math.round(Math.max(0, base + 4 * bell(random)) * 100) / 100;
  const utc = new Date(at).toISOString().replace(".000Z", "Z");
  return {
    datetime: { utc, local: utc },
    value,
    coordinates: { latitude, longitude },
    sensorsId: id * 10,
    locationsId: id,
  };
}

function page({ url, headers }: SimulatedRequest, rows: readonly object[]): SimulatedAnswer {
  if (!headers["x-api-key"])
    return json(401, { message: "Unauthorized. A valid API key must be provided in the X-API-Key header." });
  const limit = Number(url.searchParams.get("limit") ?? 100);
  const number = Number(url.searchParams.get("page") ?? 1);
  const results = rows.slice((number - 1) * limit, number * limit);
  const isLast = number * limit >= rows.length;
  const meta = { name: "openaq-api", website: "/", page: number, limit, found: isLast ? results.length : `>${limit}` };
  return json(200, { meta, results });
}

function json(status: number, value: unknown): SimulatedAnswer {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}
