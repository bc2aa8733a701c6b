import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { streamFor } from "../../../../simulator/models/random-stream.js";

export interface Airline {
  readonly name: string;
  readonly iata: string;
  readonly icao: string;
}

const airlines: readonly Airline[] = [
  { name: "Simulated Airways", iata: "VG", icao: "VGL" },
  { name: "Example Air", iata: "XE", icao: "XEX" },
  { name: "Model Wings", iata: "MW", icao: "MWG" },
  { name: "Sample Jet", iata: "SJ", icao: "SJT" },
];

const cities = ["IST", "LHR", "FRA", "CDG", "AMS", "MAD", "JFK", "DXB", "SIN", "ESB"];

export interface Flight {
  readonly airline: Airline;
  readonly number: number;
  readonly from: string;
  readonly to: string;
  /** YYYY-MM-DD of the departure. */
  readonly day: string;
  readonly departsAt: number;
  readonly arrivesAt: number;
  /** Null if the flight is cancelled, or if the airline has not announced a delay. */
  readonly delayMinutes: number | null;
  readonly status: "scheduled" | "active" | "landed" | "cancelled" | "diverted";
  /** The airline that sells the flight as a codeshare, under a number of its own. */
  readonly soldBy: Airline | undefined;
}

const PER_DAY = 36;

/** Returns the departures or arrivals of an airport on the day of `now`; none for codes that begin with Z. */
export function flightsOf(
  seed: number,
  airport: string,
  direction: "departure" | "arrival",
  now: number,
): readonly Flight[] {
  if (airport.startsWith("Z")) return [];
  const dayStart = Math.floor(now / DAY_MS) * DAY_MS;
  const others = cities.filter((city) => city !== airport);
  return Array.from({ length: PER_DAY }, (_, index) => {
    const random = streamFor(seed, `flight ${airport} ${direction} ${dayStart} ${index}`);
    const other = others[Math.floor(random() * others.length)] ?? "IST";
    const [from, to] = direction === "departure" ? [airport, other] : [other, airport];
    const at = dayStart + index * ((20 * HOUR_MS) / PER_DAY) + 3 * HOUR_MS;
    return flightFrom(random, { number: 100 + index, from, to, at, now, airline: index % airlines.length });
  });
}

/** Returns one flight by its number on a day; undefined for airlines that are not simulated. */
export function flightOn(seed: number, flight: string, day: string, now: number): Flight | undefined {
  const airline = airlines.findIndex(({ iata }) => flight.startsWith(iata));
  const number = Number(flight.slice(2));
  const dayStart = Date.parse(`${day}T00:00:00Z`);
  if (airline === -1 || !Number.isInteger(number) || Number.isNaN(dayStart)) return undefined;
  const random = streamFor(seed, `flight ${flight} ${day}`);
  const at = dayStart + (6 + Math.floor(random() * 12)) * HOUR_MS;
  return flightFrom(random, { number, from: "IST", to: "LHR", at, now, airline });
}

interface Plan {
  readonly number: number;
  readonly from: string;
  readonly to: string;
  readonly at: number;
  readonly now: number;
  readonly airline: number;
}

function flightFrom(random: () => number, { number, from, to, at, now, airline: chosen }: Plan): Flight {
  const airline = airlines[chosen] ?? { name: "", iata: "", icao: "" };
  const arrivesAt = at + (1 + Math.floor(random() * 8)) * HOUR_MS;
  const isLate = random() < 0.3;
  const late = isLate ? Math.ceil(random() * 90) : null;
  const fate = random();
  const moved = late === null ? 0 : late * MINUTE_MS;
  const status =
    fate < 0.05
      ? "cancelled"
      : fate < 0.06
        ? "diverted"
        : now < at + moved
          ? "scheduled"
          : now < arrivesAt + moved
            ? "active"
            : "landed";
  return {
    airline,
    number,
    from,
    to,
    day: new Date(at).toISOString().slice(0, 10),
    departsAt: at,
    arrivesAt,
    delayMinutes: status === "cancelled" ? null : late,
    status,
    soldBy: number % 5 === 0 ? airlines[(chosen + 1) % airlines.length] : undefined,
  };
}
