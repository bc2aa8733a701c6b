import { Type } from "typebox";
import { normalText, texts } from "../../contract/query-field.js";
import { clampedCount } from "../../contract/value-fields.js";
import { iataCode, inUpperCase } from "./flights.js";
import { cabinFrom, hoursFrom, stopsFrom } from "./itineraries.js";

/** Parameters that both provider searches take, in pieces since their own stand between them in the contract; texts that mean nothing fall back instead of being refused. */
export const routeFields = {
  origin: normalText("IATA code of the airport or city, in any case", inUpperCase),
  destination: normalText("IATA code of the airport or city, in any case", inUpperCase),
};

export const wishFields = {
  cabinClass: normalText("ECONOMY, PREMIUM_ECONOMY, BUSINESS or FIRST; economy for everything else", cabinFrom),
  maxStops: normalText("ANY, NON_STOP, ONE_STOP or TWO_PLUS_STOPS; any for everything else", stopsFrom),
  departureWindow: normalText("Hours of departure such as 6-20, ends included; any for everything else", hoursFrom),
  airlines: texts("IATA codes of airlines, all of which a journey must keep to; any when empty", {
    inUpperCase: true,
    isSet: true,
  }),
};

export const passengersField = clampedCount("Passengers", { min: 1, max: 9 });

export interface Route {
  readonly origin: string;
  readonly destination: string;
}

/** The route, or the sentence of what is missing. */
export function routeOf(given: Route): Route | string {
  const [origin, destination] = [iataCode(given.origin), iataCode(given.destination)];
  if (origin === undefined) return "origin must be an IATA code";
  if (destination === undefined) return "destination must be an IATA code";
  return { origin, destination };
}

/** What to ask for, where it is not the sentence of what is missing. */
export function askable<Plan extends object>(plan: Plan | string): Plan | undefined {
  return typeof plan === "string" ? undefined : plan;
}

/** What both answers say of themselves. */
export const aboutFields = {
  degraded: Type.Boolean({ description: "The search could not be answered in full; `error` says why" }),
  error: Type.String({ description: "Empty unless degraded" }),
  isDemoMode: Type.Optional(Type.Boolean({ description: "True in the demo, whose offers are made up; else absent" })),
};

export function demoMark(simulated: boolean): { readonly isDemoMode?: true } {
  return simulated ? { isDemoMode: true } : {};
}
