import { type Airport, airportByIata, airports } from "../../../../geography/airports.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../kit/clock.js";

/** True if the FAA covers the airport, so that the absence of an announcement means that there is no delay. */
export function isFaaAirport({ countryCode }: Pick<Airport, "countryCode">): boolean {
  return countryCode === "US";
}

/** Airports whose departures are sampled: fifty large ones outside the United States. */
const sampledCodes =
  "YYZ YVR YUL MEX GRU BOG EZE LHR LGW CDG FRA AMS MAD BCN FCO MUC ZRH VIE CPH ARN DUB LIS ATH HND NRT PEK PVG CAN HKG ICN SIN BKK KUL CGK DEL BOM SYD TPE IST SAW ESB DXB AUH DOH JED RUH CAI TLV JNB NBO";

export const sampledAirports: readonly Airport[] = sampledCodes.split(" ").flatMap((code) => airportByIata(code) ?? []);

/** Airports whose NOTAMs are read: all except those that the FAA covers. */
export const noticedAirports: readonly Airport[] = airports.filter((airport) => !isFaaAirport(airport));

/**
 * Minimum time between two requests for an airport, whatever starts a run and whatever the outcome of a request. In a
 * month of 31 days (44,640 minutes), this interval allows 812 requests per airport, so 50 airports make at most 40,600
 * calls. The billing cycle has 48,000 calls, of which on-demand reads may make at most 7,000.
 */
export const SAMPLED_EVERY_MS = 55 * MINUTE_MS;
export const CALLS_PER_MONTH_MAX = sampledAirports.length * (Math.floor((31 * DAY_MS) / SAMPLED_EVERY_MS) + 1);

/**
 * Maximum number of airports that a run requests, so that the work is divided between two runs in an hour. Without
 * stored samples, a run requests all due airports.
 */
const PER_RUN_MAX = 25;

/** Maximum age of a sample that is used for the status of its airport. */
export const SAMPLE_MS_MAX = 3 * HOUR_MS;

/**
 * Returns the airports to request in a run: the due airports that were requested longest ago. Empty if no airport is
 * due yet.
 */
export function airportsDue(
  kept: readonly { readonly iata: string; readonly sampledAt?: number }[],
  now: number,
  requestedAt: Readonly<Record<string, number>> = {},
): readonly Airport[] {
  const sampledAt = new Map(kept.map((sample) => [sample.iata, sample.sampledAt ?? 0]));
  const askedAt = ({ iata }: Airport): number => Math.max(requestedAt[iata] ?? 0, sampledAt.get(iata) ?? 0);
  const due = sampledAirports
    .filter((airport) => now - askedAt(airport) >= SAMPLED_EVERY_MS)
    .toSorted((a, b) => askedAt(a) - askedAt(b))
    .slice(0, kept.length === 0 ? sampledAirports.length : PER_RUN_MAX);
  // The start of the list changes every minute, because a failed request ends the run: an airport that always fails
  // must not come first in every run.
  const first = due.length === 0 ? 0 : Math.floor(now / MINUTE_MS) % due.length;
  return [...due.slice(first), ...due.slice(0, first)];
}
