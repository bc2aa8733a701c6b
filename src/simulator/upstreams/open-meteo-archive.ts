import { DAY_MS } from "../../kit/clock.js";
import { type Day, daysFrom, isoDay, today } from "../models/days.js";
import { bell, streamFor } from "../models/random-stream.js";
import { rewriteMiddle, type SimulatedAnswer, type SimulatedRequest, simulatedUpstream } from "../upstream.js";

/** Open-Meteo's archive of daily weather, for one point or several. */
export const upstream = simulatedUpstream({
  name: "open-meteo-archive",
  routes: [
    {
      host: "archive-api.open-meteo.com",
      path: "/v1/archive",
      handle: answerArchive,
      variants: {
        changed: (json) => json.replaceAll("temperature_2m_mean", "air_temperature"),
        empty: (json) => json.replace(/"(time|temperature_2m_mean|precipitation_sum)":\[[^\]]*\]/g, '"$1":[]'),
        badRow: (json) => rewriteMiddle(json, /"time":\[[^\]]*\]/g, () => '"time":"abc"'),
      },
    },
  ],
});

/** The archive ends this many days before today. */
const LAG_DAYS = 2;

function answerArchive({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const listed = (name: string): number[] => (url.searchParams.get(name) ?? "").split(",").filter(Boolean).map(Number);
  const [latitudes, longitudes] = [listed("latitude"), listed("longitude")];
  const [first, last] = ["start_date", "end_date"].map((name) => Date.parse(`${url.searchParams.get(name)}T00:00:00Z`));
  const isWhole = latitudes.length > 0 && latitudes.length === longitudes.length && !Number.isNaN(latitudes.at(-1));
  if (!isWhole || first === undefined || last === undefined || Number.isNaN(first + last) || first > last) {
    return json(400, { error: true, reason: "Simulated: latitude, longitude, start_date and end_date are required" });
  }
  const days = daysFrom(first, last);
  const newest = today(clock.now()) - LAG_DAYS * DAY_MS;
  const locations = latitudes.map((latitude, index) =>
    locationOf(seed, latitude, longitudes[index] ?? 0, days, newest),
  );
  return json(200, locations.length === 1 ? locations[0] : locations);
}

function json(status: number, value: unknown): SimulatedAnswer {
  return { status, contentType: "application/json; charset=utf-8", body: JSON.stringify(value) };
}

function locationOf(seed: number, latitude: number, longitude: number, days: readonly Day[], newest: number) {
  const weather = weatherAt(seed, latitude, longitude);
  const values = days.map((day) => (day.at > newest ? { temperature: null, rain: null } : weather(day)));
  // The grid point that stands for the asked one.
  const snapped = (degrees: number): number => Math.round(degrees * 10) / 10 + 0.0045;
  return {
    ...{ latitude: snapped(latitude), longitude: snapped(longitude), generationtime_ms: 0.21, utc_offset_seconds: 0 },
    ...{ timezone: "GMT", timezone_abbreviation: "GMT", elevation: 38 },
    daily_units: { time: "iso8601", temperature_2m_mean: "°C", precipitation_sum: "mm" },
    daily: {
      time: days.map(({ at }) => isoDay(at)),
      temperature_2m_mean: values.map(({ temperature }) => temperature),
      precipitation_sum: values.map(({ rain }) => rain),
    },
  };
}

/** Days of one point; those of a year come from one stream, so that any span of days sees the same weather. */
function weatherAt(seed: number, latitude: number, longitude: number) {
  const years = new Map<number, readonly (readonly [temperature: number, rain: number])[]>();
  const chancesOf = (year: number) => {
    const known = years.get(year) ?? chances(streamFor(seed, `weather ${latitude} ${longitude} ${year}`));
    years.set(year, known);
    return known;
  };
  const mean = 29 - 0.0095 * latitude ** 2;
  const swing = 0.28 * latitude;
  return ({ year, dayOfYear }: Day) => {
    const [warmth = 0, wetness = 0] = chancesOf(year)[dayOfYear - 1] ?? [];
    const season = -Math.cos((2 * Math.PI * (dayOfYear - 20)) / 365.25);
    const temperature = Math.round((mean + swing * season + 2.5 * warmth) * 10) / 10;
    return { temperature, rain: Math.round(Math.max(0, wetness) * 40) / 10 };
  };
}

/** A year of surprises: warmth that lasts some days, and rain on four days of ten. */
function chances(random: () => number): readonly (readonly [number, number])[] {
  let warmth = 0;
  return Array.from({ length: 366 }, () => {
    warmth = warmth * 0.8 + bell(random) * 0.6;
    return [warmth, random() * 2.5 - 1.5] as const;
  });
}
