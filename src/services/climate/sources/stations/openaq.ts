import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { header } from "../../../../contract/auth.js";
import { BadRow, SourceFailure, type SourceRequest, source } from "../../../../contract/source.js";
import { alpha2 } from "../../../../geography/countries.js";
import { aqiOfPm25, riskLevelOf } from "../../rules/air-quality.js";
import type { AirQualityStation } from "../../records.js";
import { instantOf } from "../instant.js";
import { positionOf } from "./coordinates.js";

const API = "https://api.openaq.org/v3";
const PM25_ID = 2;
const PAGE_ROWS = 1_000;
const PAGES_MAX = 20;

type List = "locations" | "latest";
const lists: readonly List[] = ["locations", "latest"];

const Coordinates = Type.Union([
  Type.Object({
    latitude: Type.Union([Type.Number(), Type.Null()]),
    longitude: Type.Union([Type.Number(), Type.Null()]),
  }),
  Type.Null(),
]);

const Location = Type.Object({
  list: Type.Literal("locations"),
  id: Type.Integer(),
  name: Type.Union([Type.String(), Type.Null()]),
  locality: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  country: Type.Union([Type.Object({ code: Type.Union([Type.String(), Type.Null()]) }), Type.Null()]),
  coordinates: Coordinates,
});

const Latest = Type.Object({
  list: Type.Literal("latest"),
  locationsId: Type.Integer(),
  value: Type.Number(),
  datetime: Type.Object({ utc: Type.String() }),
  coordinates: Type.Optional(Coordinates),
});

/** The mark of a list that goes on behind the last page that is read. */
const Cut = Type.Object({
  list: Type.Literal("cut"),
  of: Type.Union([Type.Literal("locations"), Type.Literal("latest")]),
});

/** Where a station stands. */
interface Place {
  readonly kind: "place";
  readonly id: number;
  readonly locality?: string;
  readonly station: string;
  readonly countryCode?: string;
  readonly position: ReturnType<typeof positionOf>;
}

/** What a station read last. */
interface Reading {
  readonly kind: "reading";
  readonly id: number;
  readonly pm25: number;
  readonly measuredAt: number;
  readonly position: ReturnType<typeof positionOf>;
}

/** A list that was not read to its end. */
export interface CutList {
  readonly kind: "cut";
  readonly of: List;
}

/** The two halves of a station as they are read, the station that they make, and what was left unread. */
export type OpenAqRecord = Place | Reading | CutList | AirQualityStation;

/** The rows that are read of each list at most. */
export const OPENAQ_ROWS_MAX = PAGE_ROWS * PAGES_MAX;

const Envelope = Type.Object({
  results: Type.Array(Type.Unknown()),
  meta: Type.Optional(Type.Object({ found: Type.Optional(Type.Unknown()) })),
});

/** Newest PM2.5 readings of all stations that OpenAQ knows, joined with where they stand. */
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
  requests: ({ since }: OpenAqPlan) => lists.map((list) => page(list, 1, since)),
  row: Type.Union([Location, Latest, Cut]),
  *rows(document, { key }) {
    if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", `expected results[] in ${key}`);
    const list = listOf(key);
    for (const row of document.results) yield typeof row === "object" && row !== null ? { ...row, list } : row;
    if (pageOf(key) >= PAGES_MAX && goesOn(document)) yield { list: "cut", of: list };
  },
  more(document, request) {
    const number = pageOf(request.key);
    const hasNext = Value.Check(Envelope, document) && document.results.length >= PAGE_ROWS && number < PAGES_MAX;
    return hasNext ? [nextPage(request, number + 1)] : [];
  },
  record(row): OpenAqRecord | undefined {
    if (row.list === "cut") return { kind: "cut", of: row.of };
    return row.list === "locations" ? placeOf(row) : readingOf(row);
  },
  observedAt: (record) => ("measuredAt" in record ? record.measuredAt : undefined),
  assemble(records) {
    const halves = records.filter((record) => "kind" in record);
    const places = new Map(halves.flatMap((half) => (half.kind === "place" ? [[half.id, half]] : [])));
    const read = halves.flatMap((half) => {
      const place = half.kind === "reading" ? places.get(half.id) : undefined;
      return place && half.kind === "reading" ? [{ place, reading: half }] : [];
    });
    const isShared = sharedLocalities(read.map(({ place }) => place));
    return [
      ...read.map(({ place, reading }) => stationOf(place, reading, isShared(place))),
      ...halves.filter((half) => half.kind === "cut"),
    ];
  },
});

/** What is asked for. */
export interface OpenAqPlan {
  /** Epoch ms before which no reading is wanted. */
  readonly since: number;
}

function listOf(key: string): List {
  return key.startsWith("latest") ? "latest" : "locations";
}

function pageOf(key: string): number {
  return Number(key.split(" ")[1]);
}

/** True where rows follow those of a full last page: `found` is their number where it is known, and `>1000` where not. */
function goesOn({ results, meta }: Static<typeof Envelope>): boolean {
  const found = meta?.found;
  return results.length >= PAGE_ROWS && !(typeof found === "number" && found <= OPENAQ_ROWS_MAX);
}

function page(list: List, number: number, since: number): SourceRequest<{ kind: "json" }> {
  const instant = new Date(since).toISOString().replace(/\.\d+Z$/, "Z");
  const what =
    list === "locations"
      ? `locations?parameters_id=${PM25_ID}`
      : `parameters/${PM25_ID}/latest?datetime_min=${instant}`;
  return {
    key: `${list} ${number}`,
    url: `${API}/${what}&limit=${PAGE_ROWS}&page=${number}`,
    format: { kind: "json" },
  };
}

/** The same question for another page. */
function nextPage(request: SourceRequest<{ kind: "json" }>, number: number): SourceRequest<{ kind: "json" }> {
  return {
    ...request,
    key: `${listOf(request.key)} ${number}`,
    url: request.url.replace(/page=\d+$/, `page=${number}`),
  };
}

/** Tells whether a place shares its locality with another station of the list. */
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
    kind: "place",
    id: row.id,
    ...(locality !== "" && { locality }),
    station: row.name?.trim() || `OpenAQ station ${row.id}`,
    ...(countryCode !== undefined && { countryCode }),
    position: positionIn(row.coordinates),
  };
}

/** Sensors that stand still or are being calibrated give negative values and absurd ones. */
const PM25_MAX = 2_000;

function readingOf({ locationsId, value, datetime, coordinates }: Static<typeof Latest>): Reading | undefined {
  const measuredAt = instantOf(datetime.utc);
  if (value > PM25_MAX) throw new BadRow(`${value} µg/m³ of PM2.5`);
  if (value < 0) return undefined;
  return { kind: "reading", id: locationsId, pm25: value, measuredAt, position: positionIn(coordinates ?? null) };
}

function positionIn(coordinates: LatLng): ReturnType<typeof positionOf> {
  return coordinates === null ? undefined : positionOf(coordinates.latitude, coordinates.longitude);
}

/** A station that moves, or whose place has no position, stands where it read last. */
function stationOf(place: Place, reading: Reading, isLocalityShared: boolean): AirQualityStation {
  const { countryCode, position, station } = place;
  const { pm25, measuredAt } = reading;
  const aqi = aqiOfPm25(pm25);
  return {
    city: cityOf(place, isLocalityShared),
    station,
    ...(countryCode !== undefined && { countryCode }),
    ...(position ?? reading.position),
    ...{ aqi, riskLevel: riskLevelOf(aqi), pm25, pollutant: "pm25", measuredAt, source: "OpenAQ" },
  };
}

/** The locality; with the station's own name before it where several stations of the list stand there. */
function cityOf({ locality, station }: Place, isLocalityShared: boolean): string {
  if (locality === undefined) return station;
  if (!isLocalityShared) return locality;
  return station.includes(locality) ? station : `${station}, ${locality}`;
}
