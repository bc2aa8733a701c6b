import { type Static, Type } from "typebox";
import { epochMs } from "../../contract/field.js";
import { Carrier, type ScheduledFlight } from "./flights.js";
import { rounded } from "./units.js";

/** How a carrier's departures of an airport fared. */
export const CarrierOpsSummary = Type.Object(
  {
    airport: Type.String({ description: "IATA code" }),
    avgDelayMinutes: Type.Integer({ format: "int32", description: "Mean over the delayed flights alone" }),
    cancellationRate: Type.Number({ description: "Percent of all flights" }),
    cancelledCount: Type.Integer({ format: "int32", description: "Cancelled departures" }),
    carrier: Carrier,
    delayPct: Type.Number({ description: "Percent of all flights" }),
    delayedCount: Type.Integer({
      format: "int32",
      description: "Flights that are late by a minute or more and not cancelled",
    }),
    totalFlights: Type.Integer({ format: "int32", description: "Departures in the sample" }),
    updatedAt: epochMs("When the schedule was read"),
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
 * Each carrier of each airport with at least `flightsMin` departures, most cancelled first, then most delayed. A flight
 * that several carriers sell counts once, for the one that operates it.
 */
export function carrierOps(pages: readonly AirportDepartures[], flightsMin: number): readonly CarrierOpsSummary[] {
  return pages
    .flatMap(({ airport, updatedAt, flights }) => byCarrier(flights).map((own) => summaryOf(airport, updatedAt, own)))
    .filter(({ totalFlights }) => totalFlights >= flightsMin)
    .toSorted(
      (a, b) =>
        b.cancellationRate - a.cancellationRate ||
        b.delayPct - a.delayPct ||
        a.airport.localeCompare(b.airport) ||
        a.carrier.iataCode.localeCompare(b.carrier.iataCode) ||
        a.carrier.name.localeCompare(b.carrier.name),
    );
}

type Departures = readonly [ScheduledFlight, ...ScheduledFlight[]];

function byCarrier(flights: readonly ScheduledFlight[]): readonly Departures[] {
  const groups = new Map<string, Departures>();
  for (const flight of flights) {
    const { iataCode, icaoCode, name } = flight.operatingCarrier;
    const key = iataCode || icaoCode || name;
    if (flight.isCodeshare || key === "") continue;
    const known = groups.get(key);
    groups.set(key, known ? [...known, flight] : [flight]);
  }
  return [...groups.values()];
}

function summaryOf(airport: string, updatedAt: number, flights: Departures): CarrierOpsSummary {
  const delayed = flights.filter(({ cancelled, departureDelayMinutes }) => !cancelled && departureDelayMinutes > 0);
  const cancelledCount = flights.filter(({ cancelled }) => cancelled).length;
  const minutes = delayed.reduce((sum, { departureDelayMinutes }) => sum + departureDelayMinutes, 0);
  const percent = (count: number): number => rounded((count / flights.length) * 100, 1);
  return {
    airport,
    avgDelayMinutes: delayed.length === 0 ? 0 : Math.round(minutes / delayed.length),
    cancellationRate: percent(cancelledCount),
    cancelledCount,
    carrier: flights[0].operatingCarrier,
    delayPct: percent(delayed.length),
    delayedCount: delayed.length,
    totalFlights: flights.length,
    updatedAt,
  };
}
