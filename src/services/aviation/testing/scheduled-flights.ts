import type { Observation } from "../../../contract/on-demand.js";
import type { ScheduledFlight } from "../records/flights.js";

export const carrier = (iataCode: string) => ({ iataCode, name: iataCode });
export const airport = { iata: "IST", icao: "LTFM", name: "Istanbul", timezone: "Europe/Istanbul" };
export const flight = (values: Partial<ScheduledFlight> = {}): ScheduledFlight => ({
  cancelled: false,
  codeshareFlightNumbers: [],
  date: "2026-11-18",
  delayMinutes: 0,
  destination: airport,
  diverted: false,
  flightNumber: "TK1",
  operatingCarrier: carrier("TK"),
  origin: airport,
  scheduledArrival: 0,
  scheduledDeparture: 0,
  source: "aviationstack",
  status: "FLIGHT_INSTANCE_STATUS_SCHEDULED",
  departureDelayMinutes: 0,
  isCodeshare: false,
  ...values,
});
export const flights = (count: number, values: Partial<ScheduledFlight> = {}) =>
  Array.from({ length: count }, () => flight(values));
const failure = { state: "error", fetchedAt: 7, expiresAt: 7, error: "no answer" } as const;

/** Observations without flights, each with the `source` value of its answer. */
export const noFlights: readonly (readonly [source: string, observation: Observation<readonly ScheduledFlight[]>])[] = [
  ["none", { state: "miss", fetchedAt: 7, expiresAt: 8 }],
  ["error", failure],
  ["unavailable", { ...failure, reason: "unconfigured" }],
  ["budget", { ...failure, reason: "budget" }],
];
