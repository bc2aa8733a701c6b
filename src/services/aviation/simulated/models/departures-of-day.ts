import { airportByIata, airports } from "../../../../geography/airports.js";
import { HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";
import { streamFor } from "../../../../simulator/models/random-stream.js";

const airlines = [
  { name: "Simulated Air", iata: "XS", icao: "XSM" },
  { name: "Fictitious Wings", iata: "XF", icao: "XFW" },
  { name: "Model Airways", iata: "XM", icao: "XMA" },
] as const;

/** The kinds of day that an airport can have; repeating a name makes that kind more likely. */
const moods = ["calm", "calm", "calm", "calm", "busy", "busy", "late", "cancelling"] as const;
const cancelledRatio = { calm: 0.01, busy: 0.03, late: 0.04, cancelling: 0.25 };
const delayMinutesMax = { calm: 30, busy: 70, late: 150, cancelling: 90 };
const delayedRatio = { calm: 0.06, busy: 0.22, late: 0.45, cancelling: 0.3 };

/** Returns aviationstack's departures of an airport on one local day. */
export function departuresOfDay(seed: number, iata: string, day: string, now: number): readonly object[] {
  const airport = airportByIata(iata);
  if (!airport) return [];
  const random = streamFor(seed, `aviationstack ${iata} ${day}`);
  const mood = moods[Math.floor(random() * moods.length)] ?? "calm";
  const count = 30 + Math.floor(random() * 80);
  return Array.from({ length: count }, (_, index) => {
    const scheduledAt = Date.parse(`${day}T00:00:00Z`) + Math.floor((index / count) * 24 * 60) * MINUTE_MS;
    const isCancelled = random() < cancelledRatio[mood];
    const delay = random() < delayedRatio[mood] ? 5 + Math.floor(random() ** 2 * delayMinutesMax[mood]) : null;
    const isOver = scheduledAt + (delay ?? 0) * MINUTE_MS < now;
    const hasLanded = scheduledAt + 4 * HOUR_MS < now;
    const airline = airlines[index % airlines.length];
    const number = String(100 + index);
    const destination = airports[(index * 7) % airports.length];
    // Local times, written as if they were UTC.
    const scheduled = new Date(scheduledAt).toISOString().replace(".000Z", "+00:00");
    return {
      flight_date: day,
      flight_status: isCancelled ? "cancelled" : hasLanded ? "landed" : isOver ? "active" : "scheduled",
      departure: {
        airport: airport.name,
        timezone: airport.timeZone,
        iata,
        icao: airport.icao,
        terminal: null,
        gate: null,
        delay: isCancelled || !isOver ? null : delay,
        scheduled,
        estimated: scheduled,
        actual: null,
      },
      arrival: {
        airport: destination?.name,
        timezone: destination?.timeZone,
        iata: destination?.iata,
        icao: destination?.icao,
        terminal: null,
        gate: null,
        baggage: null,
        scheduled,
        delay: null,
        estimated: null,
        actual: null,
      },
      airline,
      flight: {
        number,
        iata: `${airline?.iata}${number}`,
        icao: `${airline?.icao}${number}`,
        // Every sixth row is a codeshare, which names the flight of another airline.
        codeshared:
          index % 6 === 5 ? { airline_name: "simulated air", flight_number: "99", flight_iata: "xs99" } : null,
      },
      aircraft: null,
      live: null,
    };
  });
}
