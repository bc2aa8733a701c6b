import { Type } from "typebox";
import { normalText, texts } from "../../../contract/query-field.js";
import { clampedCount } from "../../../contract/value-fields.js";
import { iataCode, inUpperCase } from "../records/flights.js";
import { cabinFrom, hoursFrom, stopsFrom } from "../records/itineraries.js";

/**
 * Parameters shared by both provider searches. They are declared in several objects, because the contract's order
 * interleaves them with the parameters of each search. An unknown filter value is not an error; the default applies.
 */
export const routeFields = {
  origin: normalText("IATA code of the airport or city", inUpperCase),
  destination: normalText("IATA code of the airport or city", inUpperCase),
};

export const wishFields = {
  cabinClass: normalText("ECONOMY (default), PREMIUM_ECONOMY, BUSINESS or FIRST", cabinFrom),
  maxStops: normalText("ANY (default), NON_STOP, ONE_STOP or TWO_PLUS_STOPS", stopsFrom),
  departureWindow: normalText("Hours of departure; `6-20` means from 6:00 to 20:00, inclusive", hoursFrom),
  airlines: texts("IATA codes of the accepted airlines; empty for any", {
    inUpperCase: true,
    isSet: true,
  }),
};

export const passengersField = clampedCount("Passengers", { min: 1, max: 9 });

export interface Route {
  readonly origin: string;
  readonly destination: string;
}

/** Returns the route, or an error message about a missing or invalid parameter. */
export function routeOf(route: Route): Route | string {
  const [origin, destination] = [iataCode(route.origin), iataCode(route.destination)];
  if (origin === undefined) return "origin must be an IATA code";
  if (destination === undefined) return "destination must be an IATA code";
  return { origin, destination };
}

/** Returns the plan; undefined if there is an error message instead. */
export function askable<Plan extends object>(plan: Plan | string): Plan | undefined {
  return typeof plan === "string" ? undefined : plan;
}

/** Metadata fields of the answers of both searches. */
export const aboutFields = {
  degraded: Type.Boolean({ description: "True if the answer is incomplete; `error` gives the reason" }),
  error: Type.String({ description: "Empty unless degraded" }),
  isDemoMode: Type.Optional(Type.Boolean({ description: "True for simulated offers, else absent" })),
};

export function demoMark(simulated: boolean): { readonly isDemoMode?: true } {
  return simulated ? { isDemoMode: true } : {};
}
