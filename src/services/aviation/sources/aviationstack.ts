import { Type } from "typebox";
import { Value } from "typebox/value";
import { query } from "../../../contract/auth.js";
import { BadRow, SourceFailure, source, step } from "../../../contract/source.js";
import { isCalendarDate } from "../../../kit/calendar-date.js";
import { isoInstant } from "../../../kit/iso-instant.js";
import { type AirportRef, type Carrier, flightStatus, type ScheduledFlight } from "../records/flights.js";
import { presentMembers } from "../rules/present-members.js";
import { flightRanges } from "./flight-ranges.js";

/** A request for a page of the flights at an airport, or for one flight number on one day. */
export type SchedulePlan =
  | { readonly airport: string; readonly direction: "departure" | "arrival" }
  | { readonly flight: string; readonly date: string; readonly origin: string };

const Answer = Type.Object({ data: Type.Array(Type.Unknown()) });
const Refusal = Type.Object({ error: Type.Object({ code: Type.Union([Type.String(), Type.Number()]) }) });

const optional = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const End = Type.Object({
  airport: optional,
  timezone: optional,
  iata: optional,
  icao: optional,
  terminal: optional,
  gate: optional,
  delay: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()])),
  scheduled: optional,
  estimated: optional,
  actual: optional,
});
type End = { readonly [K in "airport" | "timezone" | "iata" | "icao"]?: string | null };

const KEY = "AVIATIONSTACK_API";

/** Scheduled flights of airlines, each with its outcome. */
export const aviationstack = source({
  id: "aviationstack",
  title: "aviationstack, flights",
  home: "https://aviationstack.com/documentation",
  seen: "recorded",
  unseen: "flights with a delay, cancelled flights",
  licence: { name: "Commercial plan", url: "https://aviationstack.com/terms", open: false },
  auth: query("access_key", {
    variable: KEY,
    description: "Key for aviationstack; without it there are no flights, flight status or carrier operations",
  }),
  // The budget of the account, and its share for on-demand reads.
  budgets: ["aviationstack", "aviationstack-requests"],
  steps: {
    flights: step({
      request: (plan: SchedulePlan) => ({
        key: "flights",
        url: `https://api.aviationstack.com/v1/flights?${queryOf(plan)}`,
        timeoutMs: 8_000,
      }),
      format: { kind: "json" },
      row: Type.Object({
        flight_date: Type.String(),
        flight_status: optional,
        departure: End,
        arrival: End,
        airline: Type.Object({ name: optional, iata: optional, icao: optional }),
        flight: Type.Object({
          number: optional,
          iata: optional,
          codeshared: Type.Optional(
            Type.Union([
              Type.Null(),
              Type.Object({
                airline_name: optional,
                airline_iata: optional,
                airline_icao: optional,
                flight_iata: optional,
              }),
            ]),
          ),
        }),
        aircraft: Type.Optional(
          Type.Union([Type.Null(), Type.Object({ iata: optional, icao: optional, icao24: optional })]),
        ),
      }),
      *rows(document) {
        if (Value.Check(Refusal, document)) {
          const code = String(document.error.code).replace(/[^\w-]/g, "?");
          throw new SourceFailure("unavailable", `aviationstack refused with ${code.slice(0, 60)}; check ${KEY}`);
        }
        if (!Value.Check(Answer, document)) throw new SourceFailure("changed", "expected data[]");
        yield* document.data;
      },
      record(row): ScheduledFlight {
        const { departure, arrival, flight, aircraft } = row;
        if (!isCalendarDate(row.flight_date)) throw new BadRow(`"${row.flight_date.slice(0, 20)}" is not a day`);
        const operator = flight.codeshared;
        const status = flightStatus(row.flight_status);
        const number = flight.iata || `${row.airline.iata ?? ""}${flight.number ?? ""}`;
        if (number === "") throw new BadRow("a flight without a number");
        return {
          ...presentMembers({
            actualArrival: instantOf(arrival.actual),
            actualDeparture: instantOf(departure.actual),
            aircraftIcao24: aircraft?.icao24?.toLowerCase(),
            aircraftType: aircraft?.icao || aircraft?.iata,
            cancelled: row.flight_status ? status === "FLIGHT_INSTANCE_STATUS_CANCELLED" : undefined,
            delayMinutes: minutesOf(departure.delay ?? arrival.delay),
            diverted: row.flight_status ? status === "FLIGHT_INSTANCE_STATUS_DIVERTED" : undefined,
            estimatedArrival: instantOf(arrival.estimated),
            estimatedDeparture: instantOf(departure.estimated),
            gate: departure.gate,
            scheduledArrival: instantOf(arrival.scheduled),
            scheduledDeparture: instantOf(departure.scheduled),
            terminal: departure.terminal,
            departureDelayMinutes: minutesOf(departure.delay),
          }),
          codeshareFlightNumbers: operator?.flight_iata ? [operator.flight_iata.toUpperCase()] : [],
          date: row.flight_date,
          destination: airportOf(arrival),
          flightNumber: number.toUpperCase(),
          operatingCarrier: operator
            ? carrierOf({ name: operator.airline_name, iata: operator.airline_iata, icao: operator.airline_icao })
            : carrierOf(row.airline),
          origin: airportOf(departure),
          source: "aviationstack",
          status,
          isCodeshare: operator !== null && operator !== undefined,
        };
      },
      rowsMin: 0,
    }),
  },
  ranges: flightRanges,
  observedAt: () => undefined,
  recordsMin: 0,
});

function queryOf(plan: SchedulePlan): URLSearchParams {
  if ("airport" in plan) {
    return new URLSearchParams({
      [plan.direction === "departure" ? "dep_iata" : "arr_iata"]: plan.airport,
      limit: "100",
    });
  }
  const { flight, date, origin } = plan;
  return new URLSearchParams({
    flight_iata: flight,
    flight_date: date,
    limit: "5",
    ...(origin !== "" && { dep_iata: origin }),
  });
}

function instantOf(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  const at = isoInstant(text);
  if (at === undefined) throw new BadRow(`"${text.slice(0, 40)}" is not an instant`);
  return at;
}

/** Returns the delay in minutes, and 0 for an early flight; undefined if the source does not give the delay. */
function minutesOf(delay: number | string | null | undefined): number | undefined {
  if (delay === null || delay === undefined || delay === "") return undefined;
  const minutes = Math.round(Number(delay));
  if (Number.isNaN(minutes)) throw new BadRow(`"${String(delay).slice(0, 20)}" is not a number of minutes`);
  return Math.max(0, minutes);
}

function airportOf({ airport, timezone, iata, icao }: End): AirportRef {
  return presentMembers({ iata, icao, name: airport, timezone });
}

/** Converts the codes to upper case, because a codeshare gives its operator's codes in lower case. */
function carrierOf(airline: { readonly [K in keyof AirlineNames]?: string | null | undefined }): Carrier {
  const { name, iata, icao } = airline;
  return presentMembers({ iataCode: iata?.toUpperCase(), icaoCode: icao?.toUpperCase(), name });
}

interface AirlineNames {
  readonly name: string;
  readonly iata: string;
  readonly icao: string;
}
