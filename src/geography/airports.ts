import { type AirportRow, airportRows } from "./airport-list.js";
import { countryName } from "./countries.js";

/** Parts of the world that airports are grouped by. */
export type AirportRegion = keyof typeof airportRows;

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

/** Every monitored airport, by region and then as they are listed. */
export const airports: readonly Airport[] = Object.entries(airportRows).flatMap(([region, rows]) =>
  // The keys of the list are the regions.
  (rows as readonly AirportRow[]).map((row) => airportOf(region as AirportRegion, row)),
);

function airportOf(
  region: AirportRegion,
  [iata, icao, name, city, countryCode, latitude, longitude, timeZone]: AirportRow,
): Airport {
  const country = countryName(countryCode) ?? countryCode;
  return { iata, icao, name, city, country, countryCode, region, latitude, longitude, timeZone };
}

const byIata = new Map(airports.map((airport) => [airport.iata, airport]));
const byIcao = new Map(airports.map((airport) => [airport.icao, airport]));

/** The monitored airport of an IATA code in any case. */
export function airportByIata(code: string): Airport | undefined {
  return byIata.get(code.trim().toUpperCase());
}

/** The monitored airport of an ICAO code in any case. */
export function airportByIcao(code: string): Airport | undefined {
  return byIcao.get(code.trim().toUpperCase());
}

/** The calendar day at an airport, `YYYY-MM-DD`. */
export function localDay({ timeZone }: Pick<Airport, "timeZone">, at: number): string {
  // Swedish writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at);
}
