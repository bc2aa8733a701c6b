import { Type } from "typebox";
import { BadRow, type Licence, SourceFailure, type StepRequest } from "../../../contract/source.js";
import { DAY_MS } from "../../../kit/clock.js";
import type { Zone } from "../rules/zones.js";

const ENDPOINT = "https://archive-api.open-meteo.com/v1/archive";
/** Minimum interval between calls on the free tier. */
const SPACING_MS = 750;

export const openMeteoLicence: Licence = {
  name: "CC BY 4.0; the free service is for non-commercial use",
  url: "https://open-meteo.com/en/licence",
  attribution: "Weather data by Open-Meteo.com; ERA5 by Copernicus Climate Change Service",
  open: false,
};

/** Daily means and sums of one point; null for days without a value yet. */
const DailyWeather = Type.Object({
  daily: Type.Object({
    time: Type.Array(Type.String()),
    temperature_2m_mean: Type.Array(Type.Union([Type.Number(), Type.Null()])),
    precipitation_sum: Type.Array(Type.Union([Type.Number(), Type.Null()])),
  }),
});

/** A day on which both values are known. */
export interface WeatherDay {
  /** YYYY-MM-DD */
  readonly day: string;
  readonly temperatureC: number;
  readonly precipitationMm: number;
}

/** The zones and days of one call. The first and the last day are included. */
export interface ArchiveSpan {
  readonly zones: readonly Zone[];
  readonly firstDay: number;
  readonly lastDay: number;
}

export function archiveRequest({ zones, firstDay, lastDay }: ArchiveSpan): StepRequest {
  const [start, end] = [firstDay, lastDay].map((at) => new Date(at).toISOString().slice(0, 10));
  const list = (values: readonly number[]): string => values.join(",");
  return {
    key: zones.map(({ id }) => id).join("+"),
    url: `${ENDPOINT}?latitude=${list(zones.map(({ latitude }) => latitude))}&longitude=${list(zones.map(({ longitude }) => longitude))}&start_date=${start}&end_date=${end}&daily=temperature_2m_mean,precipitation_sum&timezone=UTC`,
    timeoutMs: 30_000,
    spacingMs: SPACING_MS,
  };
}

/**
 * Returns one element per place, in request order. Coordinates do not identify the elements, because Open-Meteo moves
 * places to its grid points. The `location_id` identifies them; an element without one counts as the element with id 0.
 * If no element has a `location_id`, the elements are already in request order.
 */
export function locationsOf(document: unknown, count: number): readonly unknown[] {
  const locations: readonly unknown[] = Array.isArray(document) ? document : [document];
  if (locations.length !== count) {
    throw new SourceFailure("changed", `expected ${count} locations, got ${locations.length}`);
  }
  const places = locations.map(placeOf);
  if (places.every((place) => place === undefined)) return locations;
  const byPlace = new Map(locations.map((location, index) => [places[index] ?? 0, location]));
  const inOrder = locations.map((_, index) => byPlace.get(index));
  if (inOrder.includes(undefined))
    throw new SourceFailure("changed", `expected each location_id from 1 to ${count - 1} exactly once`);
  return inOrder;
}

function placeOf(location: unknown): unknown {
  return typeof location === "object" && location !== null && "location_id" in location
    ? location.location_id
    : undefined;
}

/** The daily weather of a zone: the row type of both sources that read the archive. */
export const ZoneWeather = Type.Object({ zone: Type.String(), location: DailyWeather });

/** Pairs each location of an answer with the requested zone. */
export function* zoneRows(document: unknown, { zones }: Pick<ArchiveSpan, "zones">): Iterable<unknown> {
  const locations = locationsOf(document, zones.length);
  for (const [index, { id }] of zones.entries()) yield { zone: id, location: locations[index] };
}

/** Returns the complete days of a location, oldest first. */
export function completeDays({ daily }: { readonly daily: Daily }): readonly WeatherDay[] {
  const { time, temperature_2m_mean: temperatures, precipitation_sum: sums } = daily;
  if (temperatures.length !== time.length || sums.length !== time.length) {
    throw new BadRow(`${time.length} days with ${temperatures.length} temperatures and ${sums.length} sums`);
  }
  return time.flatMap((day, index) => {
    const [temperatureC, precipitationMm] = [temperatures[index] ?? null, sums[index] ?? null];
    if (temperatureC === null || precipitationMm === null) return [];
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new BadRow(`"${day.slice(0, 20)}" is not a day`);
    return [{ day, temperatureC, precipitationMm }];
  });
}

interface Daily {
  readonly time: readonly string[];
  readonly temperature_2m_mean: readonly (number | null)[];
  readonly precipitation_sum: readonly (number | null)[];
}

export function meanOf(days: readonly WeatherDay[]): {
  readonly temperatureC: number;
  readonly precipitationMm: number;
} {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    temperatureC: mean(days.map(({ temperatureC }) => temperatureC)),
    precipitationMm: mean(days.map(({ precipitationMm }) => precipitationMm)),
  };
}

/** Returns UTC midnight of the day before `now`. */
export function yesterday(now: number): number {
  return Math.floor(now / DAY_MS) * DAY_MS - DAY_MS;
}
