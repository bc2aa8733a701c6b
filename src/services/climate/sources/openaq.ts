import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { BadRow, SourceFailure, type SourceRequest, source } from "../../../contract/source.js";
import { alpha2 } from "../../../geography/countries.js";
import { aqiOfPm25, riskLevelOf } from "../air-quality.js";
import type { AirQualityStation } from "../records.js";
import { positionOf } from "./coordinates.js";
import { instantOf } from "./instant.js";

const API = "https://api.openaq.org/v3";
const PM25_ID = 2;
const PAGE_ROWS = 1_000;
const PAGES_MAX = 20;

const lists = {
  locations: `${API}/locations?parameters_id=${PM25_ID}`,
  latest: `${API}/parameters/${PM25_ID}/latest?`,
};
type List = keyof typeof lists;

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

/** Where a station stands. */
interface Place {
  readonly kind: "place";
  readonly id: number;
  readonly city: string;
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

/** The two halves of a station as they are read, and the station that they make. */
export type OpenAqRecord = Place | Reading | AirQualityStation;

const Envelope = Type.Object({ results: Type.Array(Type.Unknown()) });

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
  credentials: [
    { variable: "OPENAQ_API_KEY", description: "Free key for OpenAQ; adds measured PM2.5 of its stations" },
  ],
  requests: (_plan: object, credentials) =>
    (["locations", "latest"] as const).map((list) => page(list, 1, credentials)),
  row: Type.Union([Location, Latest]),
  *rows(document, { key }) {
    if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", `expected results[] in ${key}`);
    for (const row of document.results)
      yield typeof row === "object" && row !== null ? { ...row, list: listOf(key) } : row;
  },
  more(document, request) {
    const [list, number] = [listOf(request.key), Number(request.key.split(" ")[1])];
    const isFull = Value.Check(Envelope, document) && document.results.length >= PAGE_ROWS;
    return isFull && number < PAGES_MAX ? [nextPage(list, number + 1, request)] : [];
  },
  record: (row): OpenAqRecord | undefined => (row.list === "locations" ? placeOf(row) : readingOf(row)),
  observedAt: (record) => ("measuredAt" in record ? record.measuredAt : undefined),
  assemble(records) {
    const halves = records.filter((record) => "kind" in record);
    const places = new Map(halves.flatMap((half) => (half.kind === "place" ? [[half.id, half]] : [])));
    return halves.flatMap((half) => {
      const place = half.kind === "reading" ? places.get(half.id) : undefined;
      return place && half.kind === "reading" ? [stationOf(place, half)] : [];
    });
  },
});

function listOf(key: string): List {
  return key.startsWith("latest") ? "latest" : "locations";
}

function page(
  list: List,
  number: number,
  credentials: Readonly<Record<string, string>>,
): SourceRequest<{ kind: "json" }> {
  return {
    key: `${list} ${number}`,
    url: `${lists[list]}&limit=${PAGE_ROWS}&page=${number}`.replace("?&", "?"),
    format: { kind: "json" },
    secretHeaders: { "X-API-Key": credentials["OPENAQ_API_KEY"] ?? "" },
  };
}

function nextPage(list: List, number: number, { secretHeaders = {} }: SourceRequest): SourceRequest<{ kind: "json" }> {
  return { ...page(list, number, {}), secretHeaders };
}

type LatLng = Static<typeof Coordinates>;

function placeOf(row: Static<typeof Location>): Place {
  const countryCode = alpha2(row.country?.code ?? "");
  return {
    kind: "place",
    id: row.id,
    city: row.locality || row.name || `OpenAQ station ${row.id}`,
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
function stationOf({ city, countryCode, position }: Place, reading: Reading): AirQualityStation {
  const { pm25, measuredAt } = reading;
  const aqi = aqiOfPm25(pm25);
  return {
    city,
    ...(countryCode !== undefined && { countryCode }),
    ...(position ?? reading.position),
    ...{ aqi, riskLevel: riskLevelOf(aqi), pm25, pollutant: "pm25", measuredAt, source: "OpenAQ" },
  };
}
