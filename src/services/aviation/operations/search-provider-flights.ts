import { Type } from "typebox";
import { operation } from "../../../contract/operation.js";
import { normalText, text } from "../../../contract/query-field.js";
import { isCalendarDate } from "../../../kit/calendar-date.js";
import { MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import { cabinFrom, fitting, type OffersPlan, orderFrom, ProviderFlightResult } from "../records/itineraries.js";
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
import { duffel } from "../sources/duffel.js";

interface Query extends Route {
  readonly departureDate: string;
  readonly returnDate: string;
  readonly cabinClass: string;
  readonly passengers: number;
}

/** Returns the request for offers, or an error message about a missing or invalid parameter. */
function planOf(query: Query): OffersPlan | string {
  const route = routeOf(query);
  if (typeof route === "string") return route;
  const { departureDate, returnDate, passengers } = query;
  if (!isCalendarDate(departureDate)) return "departure_date must be a date in the form YYYY-MM-DD";
  if (returnDate !== "" && !isCalendarDate(returnDate)) return "return_date must be a date in the form YYYY-MM-DD";
  if (returnDate !== "" && returnDate < departureDate) return "return_date must not be before departure_date";
  return { ...route, departureDate, returnDate, cabin: cabinFrom(query.cabinClass), passengers };
}

/** Itineraries that airlines offer now. Source: Duffel. */
export const searchProviderFlights = operation({
  rpc: "search-provider-flights",
  summary: "Itineraries that airlines offer for a route and day",
  description:
    "Itineraries from a licensed intermediary, read on demand and reused for ten minutes. If `degraded` is true, `error` gives the reason: no token is set, the route or a day is missing or invalid, or the provider could not be reached. If `degraded` is false, an empty list means that no flights match.",
  cache: "no-store",
  reads: {},
  fetches: {
    offers: {
      name: "flight offers",
      source: duffel,
      ttlMs: 10 * MINUTE_MS,
      missTtlMs: 2 * MINUTE_MS,
      timeLimitMs: 10 * SECOND_MS,
      errorTtlMs: 15 * SECOND_MS,
      plan: (query: Query) => askable(planOf(query)),
    },
  },
  query: {
    ...routeFields,
    departureDate: text("Day of departure, YYYY-MM-DD"),
    returnDate: text("Day of return, YYYY-MM-DD; none for one way"),
    ...wishFields,
    sortBy: normalText("CHEAPEST (default), DURATION, DEPARTURE_TIME or ARRIVAL_TIME", orderFrom),
    passengers: passengersField,
  },
  response: Type.Object(
    {
      ...aboutFields,
      flights: Type.Array(ProviderFlightResult, { description: "Itineraries in the requested order" }),
    },
    { title: "SearchProviderFlightsResponse" },
  ),
  examples: [
    { origin: "IST", destination: "LHR", departure_date: "2026-12-10" },
    {
      origin: "LHR",
      destination: "JFK",
      departure_date: "2026-12-10",
      return_date: "2026-12-17",
      max_stops: "ONE_STOP",
      sort_by: "DURATION",
      passengers: "2",
    },
    { jmespath: "error" },
  ],
  run(query, _snapshots, { observations: { offers }, simulated }) {
    const about = demoMark(simulated);
    const none = (error: string) => ({ ...about, degraded: true, error, flights: [] });
    const plan = planOf(query);
    if (typeof plan === "string") return none(plan);
    const read = readOf(offers);
    if (read === "unavailable")
      return none("no provider of flight offers is configured; DUFFEL_API_TOKEN turns one on");
    if (read === "error" || read === "budget") return none("the provider of flight offers could not be reached");
    return { ...about, degraded: false, error: "", flights: read === "none" ? [] : [...fitting(read, query)] };
  },
});
