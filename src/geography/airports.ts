import { countryCell, latitudeCell, longitudeCell, oneOf, readCsv, textCell, textLike } from "../kit/csv-table.js";
import { ownFile } from "../kit/own-file.js";
import { countryName } from "./countries.js";

/** Regions that airports are grouped by. */
const airportRegions = ["AMERICAS", "EUROPE", "APAC", "MENA", "AFRICA"] as const;
export type AirportRegion = (typeof airportRegions)[number];

/** A monitored airport. */
export interface Airport {
  /** Three letters, unique. */
  readonly iata: string;
  /** Four letters, unique. */
  readonly icao: string;
  readonly name: string;
  readonly city: string;
  /** English short name. */
  readonly country: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  readonly region: AirportRegion;
  /** Degrees north and east. */
  readonly latitude: number;
  readonly longitude: number;
  /** IANA name. */
  readonly timeZone: string;
}

const rows = readCsv(ownFile("data/airports.csv"), {
  region: oneOf(airportRegions),
  iata: textLike(/^[A-Z]{3}$/, "three capital letters"),
  icao: textLike(/^[A-Z]{4}$/, "four capital letters"),
  name: textCell,
  city: textCell,
  country: countryCell,
  latitude: latitudeCell,
  longitude: longitudeCell,
  timeZone: textCell,
});

/** Every monitored airport, in the order of `data/airports.csv`, which is grouped by region. */
export const airports: readonly Airport[] = rows.map(({ country, ...airport }) => ({
  ...airport,
  countryCode: country,
  country: countryName(country) ?? country,
}));

const byIata = new Map(airports.map((airport) => [airport.iata, airport]));
const byIcao = new Map(airports.map((airport) => [airport.icao, airport]));

/** Returns the monitored airport with an IATA code. The code may be in upper or lower case. */
export function airportByIata(code: string): Airport | undefined {
  return byIata.get(code.trim().toUpperCase());
}

/** Returns the monitored airport with an ICAO code. The code may be in upper or lower case. */
export function airportByIcao(code: string): Airport | undefined {
  return byIcao.get(code.trim().toUpperCase());
}

/** The calendar day at an airport, `YYYY-MM-DD`. */
export function localDay({ timeZone }: Pick<Airport, "timeZone">, at: number): string {
  // The locale is Swedish, because Swedish dates have the form of ISO 8601.
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at);
}
