import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { today } from "../../../simulator/models/days.js";
import { places } from "../../../simulator/models/places.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** NASA EONET v3: natural events, each with its track. */
export const upstream = simulatedUpstream({
  name: "nasa-eonet",
  routes: [
    {
      host: "eonet.gsfc.nasa.gov",
      path: "/api/v3/events",
      handle: answerEvents,
      variants: {
        changed: (json) => json.replace('"events":', '"incidents":'),
        empty: (json) => json.replace(/"events":\[.*\]/s, '"events":[]'),
        badRow: (json) => rewriteMiddle(json, /"date":"[^"]*"/g, () => '"date":"2019-13-45"'),
      },
    },
  ],
});

const TITLES: Readonly<Record<string, string>> = {
  wildfires: "Wildfires",
  severeStorms: "Severe Storms",
  volcanoes: "Volcanoes",
  seaLakeIce: "Sea and Lake Ice",
};
const KINDS = ["wildfires", "wildfires", "wildfires", "severeStorms", "volcanoes", "seaLakeIce"] as const;
const WINDOW_DAYS = 20;
/** Time between the observation of a fire and its publication. */
const FIRE_LATE_MS = 60 * HOUR_MS;
/** In every second period of this length, the JSON answer has the content type of RSS. */
const TYPE_TURN_MS = 3 * HOUR_MS;

function answerEvents({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  const now = clock.now();
  const first = today(now) / DAY_MS - WINDOW_DAYS;
  const days = Array.from({ length: WINDOW_DAYS + 1 }, (_, index) => first + index);
  const events = days.flatMap((day) => [0, 1, 2].map((index) => eventOf(seed, day, index, now)));
  const body = JSON.stringify({
    title: "EONET Events",
    description: "Simulated natural events.",
    link: "https://eonet.gsfc.nasa.gov/api/v3/events",
    events: events.filter((event) => event !== undefined).toReversed(),
  });
  const isCalledRss = Math.floor(now / TYPE_TURN_MS) % 2 === 1;
  return { status: 200, contentType: `application/${isCalledRss ? "rss+xml" : "json"}; charset=utf-8`, body };
}

/**
 * Builds one of the events that begin on a day, with the positions that are published at `now`. Returns undefined while
 * none of its positions is published.
 */
function eventOf(seed: number, day: number, index: number, now: number) {
  const random = streamFor(seed, `eonet ${day} ${index}`);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const [kind, place] = [pick(KINDS), pick(places)];
  const start = day * DAY_MS + Math.floor(random() * 24) * HOUR_MS;
  // An event is last observed up to eleven days after its start.
  const seen = start + Math.floor(random() * 12) * DAY_MS;
  const publishedUntil = kind === "wildfires" ? now - FIRE_LATE_MS : now;
  if (start > publishedUntil) return undefined;
  const isStorm = kind === "severeStorms";
  const steps = Math.floor((Math.min(seen, publishedUntil) - start) / (isStorm ? 6 * HOUR_MS : DAY_MS)) + 1;
  const offset = isStorm ? -8 : 0;
  const geometry = Array.from({ length: steps }, (_, step) => {
    const magnitude = magnitudeOf(kind, random(), step);
    const [longitude, latitude] = [place.longitude + offset + step * (isStorm ? 0.6 : 0.01), place.latitude];
    const date = new Date(start + step * (isStorm ? 6 * HOUR_MS : DAY_MS)).toISOString().replace(".000Z", "Z");
    const isArea = kind === "volcanoes" && index === 2;
    return isArea
      ? { ...magnitude, date, type: "Polygon", coordinates: [squareAround(longitude, latitude)] }
      : { ...magnitude, date, type: "Point", coordinates: [round(longitude), round(latitude)] };
  });
  const id = `EONET_${day * 10 + index}`;
  return {
    id,
    title: `Simulated: ${kind} ${day % 100}, ${place.name}`,
    description: null,
    link: `https://eonet.gsfc.nasa.gov/api/v3/events/${id}`,
    closed: null,
    categories: [{ id: kind, title: TITLES[kind] }],
    sources: [{ id: "SIM", url: "https://example.org/simulated" }],
    geometry,
  };
}

const round = (degrees: number): number => Math.round(degrees * 100) / 100;

function magnitudeOf(kind: string, chance: number, step: number) {
  if (kind === "severeStorms") return { magnitudeValue: 30 + step * 5 + Math.round(chance * 60), magnitudeUnit: "kts" };
  if (kind !== "wildfires" || chance < 0.3) return { magnitudeValue: null, magnitudeUnit: null };
  if (chance < 0.8) return { magnitudeValue: Math.round(chance * 5_000), magnitudeUnit: "acres" };
  return { magnitudeValue: Math.round(chance * 500), magnitudeUnit: "MW" };
}

function squareAround(longitude: number, latitude: number): readonly (readonly [number, number])[] {
  const [west, east, south, north] = [longitude - 0.2, longitude + 0.2, latitude - 0.2, latitude + 0.2].map(round);
  const corner = (x = 0, y = 0) => [x, y] as const;
  return [corner(west, south), corner(east, south), corner(east, north), corner(west, north), corner(west, south)];
}
