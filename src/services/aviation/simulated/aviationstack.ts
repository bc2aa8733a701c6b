import { MINUTE_MS } from "../../../kit/clock.js";
import { keyTrouble } from "../../../simulator/demo-key.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";
import { departuresOfDay } from "./models/departures-of-day.js";
import { type Airline, type Flight, flightOn, flightsOf } from "./models/flights.js";

/** aviationstack's flights: from or to an airport, one airport's departures of a day, or a single flight of a day. */
export const upstream = simulatedUpstream({
  name: "aviationstack",
  credentials: { AVIATIONSTACK_API: "demo-aviationstack-key" },
  routes: [
    {
      host: "api.aviationstack.com",
      path: "/v1/flights",
      handle: answerFlights,
      variants: {
        changed: (json) => json.replace('"data":', '"flights":'),
        empty: (json) => json.replace(/"data":\[.*\]/s, '"data":[]').replace(/"(count|total)":\d+/g, '"$1":0'),
        badRow: (json) => rewriteMiddle(json, /"flight_status":"\w+"/g, () => '"flight_status":7'),
      },
    },
  ],
});

function answerFlights({ url, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const json = (status: number, value: unknown): SimulatedAnswer => ({
    status,
    contentType: "application/json; charset=utf-8",
    body: JSON.stringify(value),
  });
  const param = (name: string): string => url.searchParams.get(name) ?? "";
  if (!param("access_key")) {
    const message = "You have not supplied an API Access Key. [Required format: access_key=YOUR_ACCESS_KEY]";
    return json(401, { error: { code: "missing_access_key", message } });
  }
  const trouble = keyTrouble(param("access_key"));
  if (trouble === "wrong")
    return json(401, { error: { code: "invalid_access_key", message: "Simulated: no such key" } });
  // The real service reports errors with status 200.
  if (trouble === "spent") return json(200, { error: { code: "usage_limit_reached", message: "Simulated: used up" } });
  const limit = Math.min(Number(param("limit") || 100), 100);
  const isDay = param("flight_date") !== "" && param("flight_iata") === "";
  const rows = isDay
    ? departuresOfDay(seed, param("dep_iata"), param("flight_date"), clock.now())
    : flightsFor(param, seed, clock.now()).flatMap(rowsOf).slice(0, limit);
  const data = rows.slice(0, limit);
  return json(200, { pagination: { limit, offset: 0, count: data.length, total: rows.length }, data });
}

function flightsFor(param: (name: string) => string, seed: number, now: number): readonly Flight[] {
  if (param("flight_iata")) {
    const flight = flightOn(seed, param("flight_iata"), param("flight_date"), now);
    const isFrom = !param("dep_iata") || param("dep_iata") === flight?.from;
    return flight && isFrom ? [flight] : [];
  }
  if (param("dep_iata")) return flightsOf(seed, param("dep_iata"), "departure", now);
  return param("arr_iata") ? flightsOf(seed, param("arr_iata"), "arrival", now) : [];
}

/**
 * Builds the rows of a flight. If a second airline sells the flight too, the flight has a second row. That row names
 * the operating airline in lower case.
 */
function rowsOf(flight: Flight): readonly object[] {
  const { airline, number, soldBy } = flight;
  const own = rowOf(flight, airline, number, null);
  if (soldBy === undefined) return [own];
  const codeshared = {
    airline_name: airline.name.toLowerCase(),
    airline_iata: airline.iata.toLowerCase(),
    airline_icao: airline.icao.toLowerCase(),
    flight_number: String(number),
    flight_iata: `${airline.iata}${number}`.toLowerCase(),
    flight_icao: `${airline.icao}${number}`.toLowerCase(),
  };
  return [own, rowOf(flight, soldBy, 7_000 + number, codeshared)];
}

function rowOf(flight: Flight, airline: Airline, number: number, codeshared: object | null): object {
  const { delayMinutes, status } = flight;
  const late = (delayMinutes ?? 0) * MINUTE_MS;
  const hasLeft = status === "active" || status === "landed";
  return {
    flight_date: flight.day,
    flight_status: status,
    departure: {
      ...endOf(flight.from, flight.departsAt, late, hasLeft),
      terminal: number % 3 === 0 ? null : "1",
      gate: number % 4 === 0 ? `A${number % 30}` : null,
      delay: delayMinutes,
    },
    arrival: {
      ...endOf(flight.to, flight.arrivesAt, late, status === "landed"),
      terminal: null,
      gate: null,
      baggage: null,
      delay: null,
    },
    airline,
    flight: {
      number: String(number),
      iata: `${airline.iata}${number}`,
      icao: `${airline.icao}${number}`,
      codeshared,
    },
    aircraft: number % 2 === 0 ? null : { registration: "V-0001", iata: "A320", icao: "A320", icao24: "3C6444" },
    live: null,
  };
}

function endOf(iata: string, plannedAt: number, late: number, isOver: boolean): object {
  const instant = (at: number): string => new Date(at).toISOString().replace(".000Z", "+00:00");
  return {
    airport: `Simulated ${iata}`,
    timezone: "Etc/UTC",
    iata,
    icao: `V${iata}`,
    scheduled: instant(plannedAt),
    estimated: instant(plannedAt + late),
    actual: isOver ? instant(plannedAt + late) : null,
    estimated_runway: null,
    actual_runway: null,
  };
}
