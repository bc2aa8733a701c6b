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

/**
 * Simulates GDACS: a list of events as GeoJSON, with dates without a zone, booleans as text, and the highest wind of a
 * storm's lifetime.
 */
export const upstream = simulatedUpstream({
  name: "gdacs-events",
  routes: [
    {
      host: "www.gdacs.org",
      path: "/gdacsapi/api/events/geteventlist/SEARCH",
      handle: answerEvents,
      variants: {
        changed: (json) => json.replace('"FeatureCollection"', '"FeatureSet"'),
        empty: (json) => json.replace(/"features":\[.*\]/s, '"features":[]'),
        badRow: (json) => rewriteMiddle(json, /"todate":"[^"]*"/g, () => '"todate":"2019-13-45T00:00:00"'),
      },
    },
  ],
});

const KINDS = ["EQ", "TC", "FL", "VO", "DR", "WF"] as const;
const NAMES = {
  EQ: "Earthquake",
  TC: "Tropical Cyclone",
  FL: "Flood",
  VO: "Eruption",
  DR: "Drought",
  WF: "Forest fires",
};
const LEVELS = ["Green", "Orange", "Orange", "Red"] as const;
const WINDOW_DAYS = 45;

function answerEvents({ clock, seed }: SimulatedRequest): SimulatedAnswer {
  const now = clock.now();
  const firstDay = today(now) / DAY_MS - WINDOW_DAYS;
  const features = Array.from({ length: WINDOW_DAYS + 1 }, (_, index) => featureOf(seed, firstDay + index, now))
    .filter((feature) => feature !== undefined)
    .toReversed();
  // This storm is also in the National Hurricane Center's list.
  const body = JSON.stringify({ type: "FeatureCollection", features: [sharedStorm(now), ...features] });
  return { status: 200, contentType: "application/json; charset=utf-8", body };
}

const withoutZone = (at: number): string => new Date(at).toISOString().slice(0, 19);

function featureOf(seed: number, day: number, now: number) {
  const random = streamFor(seed, `gdacs event ${day}`);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const [kind, level, place] = [pick(KINDS), pick(LEVELS), pick(places)];
  const startedAt = day * DAY_MS + Math.floor(random() * 24) * HOUR_MS;
  if (startedAt > now) return undefined;
  const endsAt = kind === "EQ" ? startedAt : Math.min(now + 6 * HOUR_MS, startedAt + 9 * DAY_MS);
  const name = kind === "TC" ? `SIMULATED${day % 90}-${new Date(startedAt).getUTCFullYear() % 100}` : "";
  const windKmh = Math.round(70 + random() * 200) + 0.0352;
  const magnitude = Math.round((5.5 + random() * 2) * 10) / 10;
  const severity =
    kind === "TC"
      ? {
          severity: windKmh,
          severitytext: `Tropical Storm (maximum wind speed of ${Math.floor(windKmh)} km/h)`,
          unit: "km/h",
        }
      : kind === "EQ"
        ? { severity: magnitude, severitytext: `Magnitude ${magnitude}M, Depth:10km`, unit: "M" }
        : { severity: 0, severitytext: "Magnitude 0 ", unit: "" };
  return feature({
    kind,
    id: 1_000_000 + day,
    name,
    level,
    title: `Simulated: ${NAMES[kind]} in ${place.name}`,
    position: [place.longitude, place.latitude],
    dates: { startedAt, endsAt, modifiedAt: Math.min(now, endsAt + 2 * HOUR_MS) },
    isCurrent: kind !== "DR" && now - endsAt < DAY_MS,
    severity,
  });
}

function sharedStorm(now: number) {
  const advisoryAt = Math.floor(now / (6 * HOUR_MS)) * 6 * HOUR_MS;
  return feature({
    kind: "TC",
    id: 1_900_000,
    name: `SIMULA-${new Date(now).getUTCFullYear() % 100}`,
    level: "Red",
    title: "Simulated: Tropical Cyclone SIMULA",
    position: [-82.1, 23.1],
    dates: { startedAt: advisoryAt - 3 * DAY_MS, endsAt: advisoryAt, modifiedAt: advisoryAt },
    isCurrent: true,
    severity: {
      severity: 213.0352,
      severitytext: "Tropical Depression (maximum wind speed of 213 km/h)",
      unit: "km/h",
    },
  });
}

interface FeatureFields {
  readonly kind: (typeof KINDS)[number];
  readonly id: number;
  readonly name: string;
  readonly level: string;
  readonly title: string;
  readonly position: readonly [longitude: number, latitude: number];
  readonly dates: { readonly startedAt: number; readonly endsAt: number; readonly modifiedAt: number };
  readonly isCurrent: boolean;
  readonly severity: { readonly severity: number; readonly severitytext: string; readonly unit: string };
}

function feature({ kind, id, name, level, title, position, dates, isCurrent, severity }: FeatureFields) {
  return {
    type: "Feature",
    bbox: [...position, ...position],
    geometry: { type: "Point", coordinates: position },
    properties: {
      eventtype: kind,
      eventid: id,
      episodeid: 1,
      eventname: name,
      glide: "",
      name: title,
      description: title,
      htmldescription: `${level} ${title}`,
      url: { report: `https://www.gdacs.org/report.aspx?eventid=${id}&episodeid=1&eventtype=${kind}` },
      alertlevel: level,
      alertscore: level === "Red" ? 3 : level === "Orange" ? 2 : 1,
      istemporary: "false",
      iscurrent: String(isCurrent),
      country: "Simulated",
      fromdate: withoutZone(dates.startedAt),
      todate: withoutZone(dates.endsAt),
      datemodified: withoutZone(dates.modifiedAt),
      iso3: "",
      source: kind === "TC" ? "NOAA" : "SIMULATED",
      sourceid: "",
      Class: "Point_Centroid",
      severitydata: {
        severity: severity.severity,
        severitytext: severity.severitytext,
        severityunit: severity.unit,
      },
    },
  };
}
