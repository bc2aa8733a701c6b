import { DAY_MS } from "../../../kit/clock.js";
import { isoDay, today } from "../../../simulator/models/days.js";
import { bell, streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

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

/** Age in days of the newest day with values: today and the two days before are null. */
const LAG_DAYS = 3;

function answerArchive({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const listed = (name: string): number[] => (url.searchParams.get(name) ?? "").split(",").filter(Boolean).map(Number);
  const [latitudes, longitudes] = [listed("latitude"), listed("longitude")];
  const [first, last] = ["start_date", "end_date"].map((name) => Date.parse(`${url.searchParams.get(name)}T00:00:00Z`));
  const isWhole = latitudes.length > 0 && latitudes.length === longitudes.length && url.searchParams.has("daily");
  const areNumbers = [...latitudes, ...longitudes].every(Number.isFinite);
  if (!isWhole || !areNumbers || first === undefined || last === undefined || !(first <= last)) {
    return json(400, {
      error: true,
      reason: "Simulated: latitude, longitude, start_date, end_date and daily are required",
    });
  }
  const span = spanOf(first, last, today(clock.now()) - LAG_DAYS * DAY_MS);
  const locations = latitudes.map((latitude, index) => locationOf(seed, latitude, longitudes[index] ?? 0, span));
  return json(200, locations.length === 1 ? locations[0] : locations);
}

/** The common dates of all locations in an answer. */
interface Span {
  /** `YYYY-MM-DD`, oldest first. */
  readonly dates: readonly string[];
  /** Number of dates, counted from the first, for which the archive has values. */
  readonly knownCount: number;
}

function spanOf(first: number, last: number, newest: number): Span {
  const daysTo = (end: number): number => Math.max(0, Math.floor((end - first) / DAY_MS) + 1);
  const dates = Array.from({ length: daysTo(last) }, (_, index) => isoDay(first + index * DAY_MS));
  return { dates, knownCount: daysTo(newest) };
}

function json(status: number, value: unknown): SimulatedAnswer {
  return { status, contentType: "application/json; charset=utf-8", body: JSON.stringify(value) };
}

function locationOf(seed: number, latitude: number, longitude: number, { dates, knownCount }: Span) {
  const weather = weatherOf(seed, latitude, longitude, dates);
  const upToLag = (values: readonly number[]): readonly (number | null)[] =>
    values.map((value, index) => (index < knownCount ? value : null));
  // The grid point nearest to the requested one.
  const snapped = (degrees: number): number => Number((Math.round(degrees * 10) / 10 + 0.0045).toFixed(4));
  return {
    latitude: snapped(latitude),
    longitude: snapped(longitude),
    generationtime_ms: 0.21,
    utc_offset_seconds: 0,
    timezone: "GMT",
    timezone_abbreviation: "GMT",
    elevation: 38,
    daily_units: { time: "iso8601", temperature_2m_mean: "°C", precipitation_sum: "mm" },
    daily: {
      time: dates,
      temperature_2m_mean: upToLag(weather.temperatures),
      precipitation_sum: upToLag(weather.rains),
    },
  };
}

interface Weather {
  /** °C, one value for each requested day. */
  readonly temperatures: readonly number[];
  /** Millimetres, one value for each requested day. */
  readonly rains: readonly number[];
}

/**
 * Returns the weather at one point. Each year has its own random stream, so the weather of a day does not depend on the
 * requested dates.
 */
function weatherOf(seed: number, latitude: number, longitude: number, dates: readonly string[]): Weather {
  const mean = 29 - 0.0095 * latitude ** 2;
  const swing = 0.28 * latitude;
  const weather = { temperatures: [] as number[], rains: [] as number[] };
  let [year, chances, dayOfYear] = ["", yearOfChances(() => 0), 0];
  for (const date of dates) {
    if (!date.startsWith(year) || year === "") {
      year = date.slice(0, 4);
      chances = yearOfChances(streamFor(seed, `weather ${latitude} ${longitude} ${year}`));
      dayOfYear = (Date.parse(date) - Date.parse(year)) / DAY_MS;
    }
    dayOfYear += 1;
    const season = -Math.cos((2 * Math.PI * (dayOfYear - 20)) / 365.25);
    const temperature = mean + swing * season + 2.5 * (chances.warmth[dayOfYear - 1] ?? 0);
    weather.temperatures.push(Math.round(temperature * 10) / 10);
    weather.rains.push(Math.round(Math.max(0, chances.wetness[dayOfYear - 1] ?? 0) * 40) / 10);
  }
  return weather;
}

interface YearOfChances {
  /** Warmth of each day relative to normal; below 0 if colder. Successive days have similar values. */
  readonly warmth: readonly number[];
  /** Precipitation; above 0 on four days out of ten. */
  readonly wetness: readonly number[];
}

function yearOfChances(random: () => number): YearOfChances {
  const chances = { warmth: [] as number[], wetness: [] as number[] };
  let warmth = 0;
  for (let day = 0; day < 366; day++) {
    warmth = warmth * 0.8 + bell(random) * 0.6;
    chances.warmth.push(warmth);
    chances.wetness.push(random() * 2.5 - 1.5);
  }
  return chances;
}
