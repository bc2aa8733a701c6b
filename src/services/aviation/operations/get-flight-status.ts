import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { normalText } from "../../../contract/query-field.js";
import { calendarDate, textOfLength } from "../../../contract/value-fields.js";
import { FlightInstance, flightNumber, iataCode, inUpperCase, served } from "../records/flights.js";
import { readOf } from "../rules/read-state.js";
import { oneFlight } from "../rules/schedule-reads.js";
import type { SchedulePlan } from "../sources/aviationstack.js";

interface Query {
  readonly flightNumber: string;
  readonly date: string;
  readonly origin: string;
}

function planOf({ flightNumber: number, date, origin: from }: Query): SchedulePlan | undefined {
  const flight = flightNumber(number);
  const origin = from === "" ? "" : iataCode(from);
  return flight === undefined || origin === undefined ? undefined : { flight, date, origin };
}

/** The status of a flight on a day, for at most five legs of the flight. Source: aviationstack. */
export const getFlightStatus = operation({
  rpc: "get-flight-status",
  summary: "Status of a flight on a day by its IATA number",
  description:
    "The flights with this number on this day, read on demand and reused for two minutes. Spaces and leading zeros do not matter. `source`: `aviationstack`, `none` (no such flight), `invalid` (bad number or origin), `unavailable` (no key is set), `budget` (no calls left) or `error`.",
  cache: "fast",
  tier: 1,
  reads: {},
  fetches: { flight: { ...oneFlight, plan: planOf } },
  query: {
    flightNumber: textOfLength("IATA flight number, such as TK1 or BA 0117", {
      minLength: 3,
      maxLength: 10,
      normal: (number) => flightNumber(number) ?? inUpperCase(number),
    }),
    date: calendarDate("Departure day", { required: true }),
    origin: normalText("IATA code of the departure airport, for a flight number with several legs", inUpperCase),
  },
  response: Type.Object(
    {
      cacheHit: Type.Boolean({ description: "True if served from the cache" }),
      flights: Type.Array(FlightInstance, {
        description: "Flights with this number on this day",
      }),
      source: Type.String({ description: "`aviationstack`, or why the list is empty" }),
    },
    { title: "GetFlightStatusResponse" },
  ),
  examples: [
    { flight_number: "VG1001", date: "2026-11-18" },
    { flight_number: "VG 01001", date: "2026-11-18", origin: "IST" },
    { flight_number: "VG1001", date: "2026-11-18", jmespath: "flights[].status" },
  ],
  run(query, _snapshots, { observations: { flight } }) {
    if (planOf(query) === undefined) return { cacheHit: false, flights: [], source: "invalid" };
    const cacheHit = flight.state === "cached" || flight.state === "stale";
    const flights = readOf(flight);
    if (typeof flights === "string") return { cacheHit, flights: [], source: flights };
    return { cacheHit, flights: flights.map((leg) => served(leg, flight.fetchedAt)), source: "aviationstack" };
  },
});
