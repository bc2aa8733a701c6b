import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { flag, int32, text } from "../../../contract/query-field.js";
import { isCalendarDate } from "../../../kit/calendar-date.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import {
  cheapestDates,
  DatePriceEntry,
  type DatesPlan,
  MONTHS_MAX,
  monthsBetween,
  tellsClass,
} from "../records/date-prices.js";
import { cabinFrom, stopsMaxFrom, windowFrom } from "../records/itineraries.js";
import { tripClassOf } from "../records/prices.js";
import {
  aboutFields,
  askable,
  demoMark,
  passengersField,
  type Route,
  routeFields,
  routeOf,
  wishFields,
} from "../rules/provider-query.js";
import { readOf } from "../rules/read-state.js";
import { travelpayoutsCalendar, travelpayoutsMonth } from "../sources/travelpayouts-dates.js";

interface Query extends Route {
  readonly startDate: string;
  readonly endDate: string;
  readonly tripDuration: number;
  readonly isRoundTrip: boolean;
}

/** Returns the request for prices by date, or an error message about a missing or invalid parameter. */
function planOf(query: Query): DatesPlan | string {
  const route = routeOf(query);
  if (typeof route === "string") return route;
  const { startDate, endDate, tripDuration, isRoundTrip } = query;
  if (!isCalendarDate(startDate)) return "start_date must be a date in the form YYYY-MM-DD";
  if (!isCalendarDate(endDate)) return "end_date must be a date in the form YYYY-MM-DD";
  if (endDate < startDate) return "end_date must not be before start_date";
  if (isRoundTrip && tripDuration === 0) return "trip_duration is required for a round trip";
  const months = monthsBetween(startDate, endDate);
  if (months.length > MONTHS_MAX) return `start_date to end_date must cover at most ${MONTHS_MAX} calendar months`;
  return { ...route, months, days: isRoundTrip ? tripDuration : 0 };
}

/**
 * Returns an error message that names the requested filters for which the provider has no data. The message is empty if
 * there are no such filters.
 */
function unheeded(
  query: Query & { readonly airlines: readonly string[]; readonly departureWindow: string },
  hasCabin: boolean,
): string {
  const ignored = [
    ...(windowFrom(query.departureWindow) === undefined ? [] : ["departure_window"]),
    ...(query.airlines.length === 0 || query.isRoundTrip ? [] : ["airlines"]),
    ...(hasCabin ? [] : ["cabin_class"]),
  ];
  return ignored.length === 0
    ? ""
    : `prices by date do not include ${ignored.join(", ")}, so these filters were ignored`;
}

/** For each day of departure, the cheapest price that travellers found. Source: Travelpayouts. */
export const searchProviderDates = operation({
  rpc: "search-provider-dates",
  summary: "Cheapest days to travel a route",
  description:
    "For each departure day, the cheapest price that travellers found in the last few days. Prices are reused for two hours. If `degraded` is true, `error` gives the reason: no token is set, the route or the range is missing or invalid, the provider could not be reached, or a filter does not apply to prices by date. If `degraded` is false, an empty list means that there are no prices.",
  cache: "medium",
  reads: {},
  fetches: {
    prices: {
      name: "prices by date",
      source: travelpayoutsCalendar,
      alternatives: [travelpayoutsMonth],
      ttlMs: 2 * HOUR_MS,
      missTtlMs: 2 * MINUTE_MS,
      timeLimitMs: 10 * SECOND_MS,
      staleWhileErrorMs: 2 * HOUR_MS,
      errorTtlMs: 15 * SECOND_MS,
      plan: (query: Query) => askable(planOf(query)),
    },
  },
  query: {
    ...routeFields,
    startDate: text("First day of departure, YYYY-MM-DD"),
    endDate: text("Last day of departure, YYYY-MM-DD"),
    tripDuration: int32("Days between departure and return; required for a round trip"),
    isRoundTrip: flag("True for prices of round trips"),
    ...wishFields,
    sortByPrice: flag("True to sort by price, lowest first, instead of by day"),
    passengers: passengersField,
  },
  response: Type.Object(
    {
      dates: Type.Array(DatePriceEntry, { description: "Sorted by day, or by price" }),
      ...aboutFields,
    },
    { title: "SearchProviderDatesResponse" },
  ),
  examples: [
    { origin: "IST", destination: "LHR", start_date: "2026-12-01", end_date: "2026-12-20" },
    {
      origin: "IST",
      destination: "LHR",
      start_date: "2026-12-01",
      end_date: "2027-01-15",
      is_round_trip: "true",
      trip_duration: "7",
      sort_by_price: "true",
    },
    { jmespath: "error" },
  ],
  run(query, _snapshots, { observations: { prices }, simulated }) {
    const about = demoMark(simulated);
    const none = (error: string) => ({ ...about, dates: [], degraded: true, error });
    const plan = planOf(query);
    if (typeof plan === "string") return none(plan);
    const read = readOf(prices);
    if (read === "unavailable") {
      return none("no provider of prices by date is configured; TRAVELPAYOUTS_API_TOKEN turns one on");
    }
    if (read === "error" || read === "budget") return none("the provider of prices by date could not be reached");
    const offers = read === "none" ? [] : read;
    const cabin = tripClassOf(`CABIN_CLASS_${cabinFrom(query.cabinClass)}`);
    const hasCabin = offers.length === 0 || tellsClass(offers, cabin);
    const error = unheeded(query, hasCabin);
    const dates = cheapestDates(offers, {
      startDate: query.startDate,
      endDate: query.endDate,
      stopsMax: stopsMaxFrom(query.maxStops),
      airlines: query.isRoundTrip ? query.airlines.map((code) => code.trim().toUpperCase()) : [],
      tripClass: hasCabin ? cabin : undefined,
      byPrice: query.sortByPrice,
    });
    return { ...about, dates: [...dates], degraded: error !== "", error };
  },
});
