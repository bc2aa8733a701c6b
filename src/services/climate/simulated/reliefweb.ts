import { DAY_MS } from "../../../kit/clock.js";
import { today } from "../../../simulator/models/days.js";
import { places } from "../../../simulator/models/places.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  type SimulatedRoute,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** ReliefWeb's API, which takes its query in the body and the name of the calling application in the address. */
export const upstream = simulatedUpstream({
  name: "reliefweb",
  credentials: { RELIEFWEB_APPNAME: "vigil-demo" },
  routes: [
    route("/v2/disasters", disasters),
    route("/v1/disasters", disasters),
    route("/v2/reports", reports),
    route("/v1/reports", reports),
  ],
});

function route(path: string, rows: (now: number, seed: number) => readonly object[]): SimulatedRoute {
  return {
    host: "api.reliefweb.int",
    path,
    methods: ["GET", "POST"],
    handle: (request) => answer(request, rows),
    variants: {
      changed: (json) => json.replace('"data":', '"results":'),
      empty: (json) => json.replace(/"data":\[.*\]/s, '"data":[]'),
      badRow: (json) =>
        rewriteMiddle(json, /"(event|created)":"[^"]*"/g, () =>
          '"$1":"2019-13-45"'.replace("$1", path.endsWith("reports") ? "created" : "event"),
        ),
    },
  };
}

function answer(
  { url, body, clock, seed }: SimulatedRequest,
  rows: (now: number, seed: number) => readonly object[],
): SimulatedAnswer {
  if (!url.searchParams.get("appname")) {
    return json(403, {
      status: 403,
      error: { type: "AccessDenied", message: "Simulated: an approved appname is required" },
    });
  }
  const query: { limit?: number } = body === "" ? {} : JSON.parse(body);
  const data = rows(clock.now(), seed).slice(0, query.limit ?? 10);
  return json(200, { time: 5, href: url.href, links: {}, took: 2, totalCount: data.length, count: data.length, data });
}

function json(status: number, value: unknown): SimulatedAnswer {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}

const KINDS = [
  ["FL", "Flood"],
  ["TC", "Tropical Cyclone"],
  ["DR", "Drought"],
  ["HT", "Heat Wave"],
  ["WF", "Wild Fire"],
] as const;

const instant = (at: number): string => new Date(at).toISOString().replace(".000Z", "+00:00");

function disasters(now: number, seed: number): readonly object[] {
  const week = Math.floor(now / (7 * DAY_MS));
  return Array.from({ length: 14 }, (_, index) => {
    const random = streamFor(seed, `reliefweb ${week - index}`);
    const place = places[Math.floor(random() * places.length)];
    const [code, kind] = KINDS[Math.floor(random() * KINDS.length)] ?? KINDS[0];
    const id = 50_000 + week - index;
    const country = {
      id,
      name: place?.name,
      shortname: place?.name,
      iso3: place?.alpha3.toLowerCase(),
      primary: true,
      location: { lat: place?.latitude, lon: place?.longitude },
    };
    const at = (week - index) * 7 * DAY_MS;
    const fields = {
      id,
      name: `Simulated: ${place?.name}: ${kind}`,
      status: index < 2 ? "alert" : "ongoing",
      date: { event: instant(at), created: instant(at + DAY_MS) },
      country: [country],
      type: [{ id: 4_611, name: kind, code, primary: true }],
      url: `https://reliefweb.int/node/${id}`,
    };
    return { id: String(id), score: 1, fields };
  });
}

function reports(now: number): readonly object[] {
  return Array.from({ length: 10 }, (_, index) => {
    const at = today(now) - index * DAY_MS;
    const id = 4_000_000 + at / DAY_MS;
    const fields = {
      title: `Simulated report ${id} on climate and environment`,
      url: `https://reliefweb.int/node/${id}`,
      date: { created: instant(at) },
      source: [{ name: "Simulated Agency" }],
      headline: { summary: "Simulated summary of a report." },
    };
    return { id: String(id), score: 1, fields };
  });
}
