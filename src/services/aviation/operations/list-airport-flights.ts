import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { operation } from "../../../contract/operation.js";
import { choice, countUpTo, textOfLength } from "../../../contract/value-fields.js";
import { FlightInstance, iataCode, inUpperCase, type ScheduledFlight, served } from "../records/flights.js";
import { answeredAt, readOf } from "../rules/read-state.js";
import { airportPage, pageOf } from "../rules/schedule-reads.js";

type Direction = "FLIGHT_DIRECTION_DEPARTURE" | "FLIGHT_DIRECTION_ARRIVAL" | "FLIGHT_DIRECTION_BOTH";

interface Query {
  readonly airport: string;
  readonly direction: Direction;
}

function planFor(direction: "departure" | "arrival", unless: Direction) {
  return (query: Query) => {
    const airport = iataCode(query.airport);
    return airport === undefined || query.direction === unless ? undefined : pageOf(airport, direction);
  };
}

/** Flights of an airport, sorted by their times at the airport. Source: aviationstack. */
export const listAirportFlights = operation({
  rpc: "list-airport-flights",
  summary: "Departures and arrivals of an airport",
  description:
    "Flights sorted by their planned times at the airport, at most 100 of each direction. They are read on demand and reused for 15 minutes. `source`: `aviationstack`, `none` (no flights), `partial` (one direction could not be read), `invalid` (not an IATA code), `unavailable` (no key is set), `budget` (no calls left) or `error`.",
  cache: "static",
  tier: 1,
  reads: {},
  fetches: {
    departures: { ...airportPage, plan: planFor("departure", "FLIGHT_DIRECTION_ARRIVAL") },
    arrivals: { ...airportPage, plan: planFor("arrival", "FLIGHT_DIRECTION_DEPARTURE") },
  },
  query: {
    airport: textOfLength("IATA code of the airport, in upper or lower case", {
      minLength: 3,
      maxLength: 4,
      normal: inUpperCase,
    }),
    direction: choice(
      ["FLIGHT_DIRECTION_DEPARTURE", "FLIGHT_DIRECTION_ARRIVAL", "FLIGHT_DIRECTION_BOTH"],
      "FLIGHT_DIRECTION_BOTH",
      "Which flights",
    ),
    limit: countUpTo("Maximum number of flights", { max: 100, fallback: 30 }),
  },
  response: Type.Object(
    {
      flights: Type.Array(FlightInstance, { description: "Sorted by their planned times at the airport" }),
      source: Type.String({ description: "`aviationstack`, or why the list is empty or partial" }),
      totalAvailable: Type.Integer({ format: "int32", description: "Number of flights before `limit` is applied" }),
      updatedAt: epochMs("Time of the read; 0 without data"),
    },
    { title: "ListAirportFlightsResponse" },
  ),
  examples: [
    { airport: "IST" },
    { airport: "LHR", direction: "FLIGHT_DIRECTION_DEPARTURE", limit: "5" },
    { airport: "FRA", jmespath: "flights[?delayMinutes>`15`].flightNumber" },
  ],
  run({ airport, limit }, _snapshots, { observations: { departures, arrivals } }) {
    const empty = { flights: [], totalAvailable: 0, updatedAt: 0 };
    if (iataCode(airport) === undefined) return { ...empty, source: "invalid" };
    const pages = [
      { observation: departures, timeOf: (flight: ScheduledFlight) => flight.scheduledDeparture },
      { observation: arrivals, timeOf: (flight: ScheduledFlight) => flight.scheduledArrival },
    ].filter(({ observation }) => observation.state !== "not-asked");
    const read = pages.map(({ observation, timeOf }) => ({
      result: readOf(observation),
      readAt: observation.fetchedAt,
      timeOf,
    }));
    const updatedAt = answeredAt(pages.map(({ observation }) => observation));
    const failures = read.flatMap(({ result }) => (typeof result === "string" && result !== "none" ? [result] : []));
    const [firstFailure] = failures;
    if (firstFailure !== undefined && failures.length === read.length) return { ...empty, source: firstFailure };
    const flights = read
      .flatMap(({ result, ...page }) =>
        typeof result === "string" ? [] : result.map((flight) => ({ flight, ...page })),
      )
      .toSorted((a, b) => (a.timeOf(a.flight) ?? 0) - (b.timeOf(b.flight) ?? 0))
      .map(({ flight, readAt }) => served(flight, readAt));
    const source = failures.length > 0 ? "partial" : flights.length > 0 ? "aviationstack" : "none";
    return { flights: flights.slice(0, limit), source, totalAvailable: flights.length, updatedAt };
  },
});
