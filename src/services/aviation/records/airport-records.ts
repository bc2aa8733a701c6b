import { type Static, Type } from "typebox";
import { GeoCoordinates } from "../../../contract/coordinates.js";
import { epochMs } from "../../../contract/field.js";

const airportRegions = [
  "AIRPORT_REGION_AMERICAS",
  "AIRPORT_REGION_EUROPE",
  "AIRPORT_REGION_APAC",
  "AIRPORT_REGION_MENA",
  "AIRPORT_REGION_AFRICA",
] as const;

const delaySeverities = [
  "FLIGHT_DELAY_SEVERITY_NORMAL",
  "FLIGHT_DELAY_SEVERITY_MINOR",
  "FLIGHT_DELAY_SEVERITY_MODERATE",
  "FLIGHT_DELAY_SEVERITY_MAJOR",
  "FLIGHT_DELAY_SEVERITY_SEVERE",
  "FLIGHT_DELAY_SEVERITY_UNKNOWN",
] as const;

const delayTypes = [
  "FLIGHT_DELAY_TYPE_UNSPECIFIED",
  "FLIGHT_DELAY_TYPE_GROUND_STOP",
  "FLIGHT_DELAY_TYPE_GROUND_DELAY",
  "FLIGHT_DELAY_TYPE_DEPARTURE_DELAY",
  "FLIGHT_DELAY_TYPE_ARRIVAL_DELAY",
  "FLIGHT_DELAY_TYPE_GENERAL",
  "FLIGHT_DELAY_TYPE_CLOSURE",
] as const;

const delaySources = [
  "FLIGHT_DELAY_SOURCE_UNSPECIFIED",
  "FLIGHT_DELAY_SOURCE_FAA",
  "FLIGHT_DELAY_SOURCE_EUROCONTROL",
  "FLIGHT_DELAY_SOURCE_COMPUTED",
  "FLIGHT_DELAY_SOURCE_AVIATIONSTACK",
  "FLIGHT_DELAY_SOURCE_NOTAM",
] as const;

const Severity = Type.Enum(["FLIGHT_DELAY_SEVERITY_UNSPECIFIED", ...delaySeverities], {
  title: "FlightDelaySeverity",
  description: "UNKNOWN without flight data and without a closure or restriction",
});
const Percent = (description: string) =>
  Type.Number({
    description: `${description}, in percent of the flights with a known outcome, or of all flights if fewer than ten have one`,
  });

/** The state of a monitored airport: delayed (an alert), normal or unknown. */
export const AirportDelayAlert = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      description: "IATA code with the prefix `faa-`, `avstack-`, `notam-` (alerts), `status-` (normal) or `unknown-`",
    }),
    iata: Type.String({ description: "IATA code" }),
    icao: Type.String({ description: "ICAO code" }),
    name: Type.String({ description: "Name of the airport" }),
    city: Type.String({ description: "City served by the airport" }),
    country: Type.String({ description: "Country, by its English name" }),
    location: Type.Optional(GeoCoordinates),
    region: Type.Enum(["AIRPORT_REGION_UNSPECIFIED", ...airportRegions], { description: "Region of the airport" }),
    delayType: Type.Enum([...delayTypes], {
      description: "Kind of delay; GENERAL if the source does not name the kind, UNSPECIFIED without a delay",
    }),
    severity: Severity,
    avgDelayMinutes: Type.Optional(
      Type.Integer({
        format: "int32",
        description: "Announced delay, or mean delay of the delayed flights in the sample; absent if unknown",
      }),
    ),
    delayedFlightsPct: Type.Optional(Percent("Delayed flights in the sample")),
    cancelledFlights: Type.Optional(Type.Integer({ format: "int32", description: "Cancelled flights in the sample" })),
    totalFlights: Type.Optional(Type.Integer({ format: "int32", description: "Flights in the sample" })),
    reason: Type.Optional(Type.String({ description: "In the source's words, at most 200 characters" })),
    source: Type.Enum([...delaySources], { description: "Source of the row" }),
    updatedAt: Type.Optional(epochMs("Time of the source's report, or time at which the report was read")),
  },
  { title: "AirportDelayAlert" },
);
export type AirportDelayAlert = Static<typeof AirportDelayAlert>;

/** Delays, cancellations and closures at an airport. */
export const AirportOpsSummary = Type.Object(
  {
    iata: Type.String({ description: "IATA code" }),
    icao: Type.Optional(Type.String({ description: "ICAO code; absent for an airport that is not monitored" })),
    name: Type.Optional(
      Type.String({ description: "Name of the airport; absent for an airport that is not monitored" }),
    ),
    timezone: Type.Optional(Type.String({ description: "IANA name; absent for an airport that is not monitored" })),
    delayPct: Type.Optional(Percent("Delayed flights")),
    avgDelayMinutes: Type.Optional(Type.Integer({ format: "int32", description: "Absent when unknown" })),
    cancellationRate: Type.Optional(Percent("Cancelled flights")),
    totalFlights: Type.Optional(Type.Integer({ format: "int32", description: "Flights in the sample" })),
    closureStatus: Type.Optional(
      Type.Boolean({
        description: "True for a closed airport; absent if it is not known whether the airport is closed",
      }),
    ),
    notamFlags: Type.Array(Type.String(), {
      description: "CLOSED, RESTRICTED, and NOTAM for any other notice in force",
    }),
    severity: Severity,
    topDelayReasons: Type.Array(Type.String(), { description: "Announced reasons, as the sources word them" }),
    source: Type.String({
      description: "Sources of the row, joined by `+`: faa, aviationstack, notam; `unknown` if there is none",
    }),
    updatedAt: Type.Optional(epochMs("Time of the newest data in the row")),
  },
  { title: "AirportOpsSummary", description: "Operations of an airport: delays, cancellations and closure." },
);
export type AirportOpsSummary = Static<typeof AirportOpsSummary>;
