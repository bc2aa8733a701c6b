import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { header } from "../../../../contract/auth.js";
import { BadRow, LeftOut, SourceFailure, source, step } from "../../../../contract/source.js";
import { alpha2 } from "../../../../geography/countries.js";
import type { AirQualityStation } from "../../records.js";
import { aqiOfPm25, riskLevelOf } from "../../rules/air-quality.js";
import { airRanges } from "../climate-ranges.js";
import { instantOf } from "../instant.js";
import { positionOf } from "./coordinates.js";

const API = "https://api.openaq.org/v3";
const PM25_ID = 2;
const PAGE_ROWS = 1_000;
const PAGES_MAX = 20;

const Coordinates = Type.Union([
  Type.Object({
    latitude: Type.Union([Type.Number(), Type.Null()]),
    longitude: Type.Union([Type.Number(), Type.Null()]),
  }),
  Type.Null(),
]);

const Location = Type.Object({
  id: Type.Integer(),
  name: Type.Union([Type.String(), Type.Null()]),
  locality: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  country: Type.Union([Type.Object({ code: Type.Union([Type.String(), Type.Null()]) }), Type.Null()]),
  coordinates: Coordinates,
});

const Latest = Type.Object({
  locationsId: Type.Integer(),
  value: Type.Number(),
  datetime: Type.Object({ utc: Type.String() }),
  coordinates: Type.Optional(Coordinates),
});

/** A station of the list, with its position if it has a fixed one. */
interface Place {
  readonly id: number;
  readonly locality?: string;
  readonly station: string;
  readonly countryCode?: string;
  readonly position: ReturnType<typeof positionOf>;
}

/** The last reading of a station. */
interface Reading {
  readonly id: number;
  readonly pm25: number;
  readonly measuredAt: number;
  readonly position: ReturnType<typeof positionOf>;
}

/** Maximum number of rows read from each list. */
export const OPENAQ_ROWS_MAX = PAGE_ROWS * PAGES_MAX;

const Envelope = Type.Object({
  results: Type.Array(Type.Unknown()),
  meta: Type.Optional(Type.Object({ found: Type.Optional(Type.Unknown()) })),
});

/** A page of a list. */
interface ListPage {
  /** Epoch ms; earlier readings are not requested. */
  readonly since: number;
  /** From 1. */
  readonly page: number;
}

/** The parameters of a read. */
export interface OpenAqPlan {
  /** Epoch ms; earlier readings are not requested. */
  readonly since: number;
}

const firstPage = ({ since }: OpenAqPlan): readonly ListPage[] => [{ since, page: 1 }];

const locations = step({
  ask: firstPage,
  request: ({ page }) => ({
    key: `locations ${page}`,
    url: `${API}/locations?parameters_id=${PM25_ID}&limit=${PAGE_ROWS}&page=${page}`,
  }),
  format: { kind: "json" },
  row: Location,
  rows: (document) => listIn(document).results,
  more: nextPage,
  lacks: (document, { page }) => cutSentence(document, page, "stations"),
  record: placeOf,
});

const latest = step({
  ask: firstPage,
  request({ since, page }) {
    const instant = new Date(since).toISOString().replace(/\.\d+Z$/, "Z");
    return {
      key: `latest ${page}`,
      url: `${API}/parameters/${PM25_ID}/latest?datetime_min=${instant}&limit=${PAGE_ROWS}&page=${page}`,
    };
  },
  format: { kind: "json" },
  row: Latest,
  rows: (document) => listIn(document).results,
  more: nextPage,
  lacks: (document, { page }) => cutSentence(document, page, "readings"),
  record: readingOf,
  observedAt: ({ measuredAt }) => measuredAt,
});

/** Latest PM2.5 readings of OpenAQ's stations, joined with the stations' positions. */
export const openAq = source({
  id: "openaq",
  title: "OpenAQ v3, PM2.5 stations",
  home: "https://docs.openaq.org/",
  seen: "recorded",
  licence: {
    name: "CC BY 4.0; some providers set terms of their own",
    url: "https://docs.openaq.org/about/data-licenses",
    attribution: "OpenAQ and the monitoring networks it names",
    open: true,
  },
  auth: header("X-API-Key", {
    variable: "OPENAQ_API_KEY",
    description: "Free key for OpenAQ; adds measured PM2.5 of its stations",
  }),
  steps: { locations, latest },
  combine({ locations, latest }, tally): readonly AirQualityStation[] {
    const places = new Map(locations.records.map((place) => [place.id, place]));
    const placed = tally.filter(latest.records, { "no such station": ({ id }) => places.has(id) });
    tally.joined("stations with their readings", locations.records.length);
    const read = placed.flatMap((reading) => {
      const place = places.get(reading.id);
      return place ? [{ place, reading }] : [];
    });
    const isShared = sharedLocalities(read.map(({ place }) => place));
    return read.map(({ place, reading }) => stationOf(place, reading, isShared(place)));
  },
  ranges: airRanges,
  observedAt: ({ measuredAt }) => measuredAt,
});

function listIn(document: unknown): Static<typeof Envelope> {
  if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", "expected results[]");
  return document;
}

function nextPage(document: unknown, { since, page }: ListPage): readonly ListPage[] {
  const isFull = listIn(document).results.length >= PAGE_ROWS;
  return isFull && page < PAGES_MAX ? [{ since, page: page + 1 }] : [];
}

/**
 * Returns a message about unread rows if the list continues after the last page that may be read; otherwise undefined.
 * `meta.found` of the answer is the number of rows in the list, or `>1000` if the number is unknown.
 */
function cutSentence(document: unknown, page: number, rows: string): string | undefined {
  const { results, meta } = listIn(document);
  const total = meta?.found;
  const isWhole = typeof total === "number" && total <= OPENAQ_ROWS_MAX;
  if (page < PAGES_MAX || results.length < PAGE_ROWS || isWhole) return undefined;
  return `it lists more than ${OPENAQ_ROWS_MAX} ${rows}; the rest was not read`;
}

/** Returns a function that tests whether a place shares its locality with another station in the list. */
function sharedLocalities(places: readonly Place[]): (place: Place) => boolean {
  const keyOf = ({ countryCode = "", locality = "" }: Place): string => `${countryCode} ${locality}`;
  const firstIds = new Map<string, number>();
  const shared = new Set<string>();
  for (const place of places) {
    const first = firstIds.get(keyOf(place)) ?? place.id;
    firstIds.set(keyOf(place), first);
    if (first !== place.id) shared.add(keyOf(place));
  }
  return (place) => shared.has(keyOf(place));
}

type LatLng = Static<typeof Coordinates>;

function placeOf(row: Static<typeof Location>): Place {
  const countryCode = alpha2(row.country?.code ?? "");
  const locality = row.locality?.trim() ?? "";
  return {
    id: row.id,
    ...(locality !== "" && { locality }),
    station: row.name?.trim() || `OpenAQ station ${row.id}`,
    ...(countryCode !== undefined && { countryCode }),
    position: positionIn(row.coordinates),
  };
}

/** Maximum plausible value, µg/m³. Sensors that are stuck or being calibrated report absurd or negative values. */
const PM25_MAX = 2_000;

function readingOf({ locationsId, value, datetime, coordinates }: Static<typeof Latest>): Reading | LeftOut {
  const measuredAt = instantOf(datetime.utc);
  if (value > PM25_MAX) throw new BadRow(`${value} µg/m³ of PM2.5`);
  if (value < 0) return new LeftOut("negative value");
  return { id: locationsId, pm25: value, measuredAt, position: positionIn(coordinates ?? null) };
}

function positionIn(coordinates: LatLng): ReturnType<typeof positionOf> {
  return coordinates === null ? undefined : positionOf(coordinates.latitude, coordinates.longitude);
}

/**
 * Returns a station with its fixed position. If the station has no fixed position, it gets the position of its last
 * reading.
 */
function stationOf(place: Place, reading: Reading, isLocalityShared: boolean): AirQualityStation {
  const { countryCode, position, station } = place;
  const { pm25, measuredAt } = reading;
  const aqi = aqiOfPm25(pm25);
  return {
    city: cityOf(place, isLocalityShared),
    station,
    ...(countryCode !== undefined && { countryCode }),
    ...(position ?? reading.position),
    aqi,
    riskLevel: riskLevelOf(aqi),
    pm25,
    pollutant: "pm25",
    measuredAt,
    source: "OpenAQ",
  };
}

/**
 * Returns the locality, or the station's own name if no locality is stated. If several stations of the list share the
 * locality, returns the station's name followed by the locality. A name that contains the locality is returned alone.
 */
function cityOf({ locality, station }: Place, isLocalityShared: boolean): string {
  if (locality === undefined) return station;
  if (!isLocalityShared) return locality;
  return station.includes(locality) ? station : `${station}, ${locality}`;
}
