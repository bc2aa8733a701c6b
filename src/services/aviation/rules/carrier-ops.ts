import { type Static, Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { Carrier, type ScheduledFlight } from "../records/flights.js";
import { rounded } from "./units.js";

/** Delays and cancellations of one carrier's departures from one airport. */
export const CarrierOpsSummary = Type.Object(
  {
    airport: Type.String({ description: "IATA code" }),
    avgDelayMinutes: Type.Optional(
      Type.Integer({
        format: "int32",
        description: "Mean delay of the delayed flights; 0 if none is late, absent if no delay is known",
      }),
    ),
    cancellationRate: Type.Number({ description: "Percent of all flights" }),
    cancelledCount: Type.Integer({ format: "int32", description: "Cancelled departures" }),
    carrier: Carrier,
    delayPct: Type.Optional(Type.Number({ description: "Percent of all flights; absent if no delay is known" })),
    delayedCount: Type.Optional(
      Type.Integer({
        format: "int32",
        description: "Flights at least a minute late and not cancelled; absent if no delay is known",
      }),
    ),
    totalFlights: Type.Integer({ format: "int32", description: "Departures in the sample" }),
    updatedAt: epochMs("Time at which the schedule was read"),
  },
  { title: "CarrierOpsSummary" },
);
export type CarrierOpsSummary = Static<typeof CarrierOpsSummary>;

export interface AirportDepartures {
  readonly airport: string;
  readonly updatedAt: number;
  readonly flights: readonly ScheduledFlight[];
}

/**
 * Summarizes every carrier with at least `flightsMin` departures at an airport, sorted by the share of cancelled
 * flights, then by the share of delayed flights, highest first. A codeshare is counted once, for the operating carrier.
 */
export function carrierOps(pages: readonly AirportDepartures[], flightsMin: number): readonly CarrierOpsSummary[] {
  return pages
    .flatMap(({ airport, updatedAt, flights }) => byCarrier(flights).map((own) => summaryOf(airport, updatedAt, own)))
    .filter(({ totalFlights }) => totalFlights >= flightsMin)
    .toSorted(
      (a, b) =>
        b.cancellationRate - a.cancellationRate ||
        (b.delayPct ?? 0) - (a.delayPct ?? 0) ||
        a.airport.localeCompare(b.airport) ||
        (a.carrier.iataCode ?? "").localeCompare(b.carrier.iataCode ?? "") ||
        (a.carrier.name ?? "").localeCompare(b.carrier.name ?? ""),
    );
}

type Departures = readonly [ScheduledFlight, ...ScheduledFlight[]];

function byCarrier(flights: readonly ScheduledFlight[]): readonly Departures[] {
  const groups = new Map<string, Departures>();
  for (const flight of flights) {
    const { iataCode, icaoCode, name } = flight.operatingCarrier;
    const key = iataCode ?? icaoCode ?? name;
    if (flight.isCodeshare || key === undefined) continue;
    const flightsSoFar = groups.get(key);
    groups.set(key, flightsSoFar ? [...flightsSoFar, flight] : [flight]);
  }
  return [...groups.values()];
}

function summaryOf(airport: string, updatedAt: number, flights: Departures): CarrierOpsSummary {
  const delays = flights.flatMap(({ cancelled, departureDelayMinutes }) =>
    cancelled ? [] : (departureDelayMinutes ?? []),
  );
  const delayed = delays.filter((minutes) => minutes > 0);
  const cancelledCount = flights.filter(({ cancelled }) => cancelled).length;
  const minutes = delayed.reduce((sum, each) => sum + each, 0);
  const percent = (count: number): number => rounded((count / flights.length) * 100, 1);
  return {
    airport,
    ...(delays.length > 0 && {
      avgDelayMinutes: delayed.length === 0 ? 0 : Math.round(minutes / delayed.length),
      delayPct: percent(delayed.length),
      delayedCount: delayed.length,
    }),
    cancellationRate: percent(cancelledCount),
    cancelledCount,
    carrier: flights[0].operatingCarrier,
    totalFlights: flights.length,
    updatedAt,
  };
}
