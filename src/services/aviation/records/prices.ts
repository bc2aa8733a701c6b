import { type Static, Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { airportByIata } from "../../../geography/airports.js";
import { Carrier } from "./flights.js";

export const cabins = [
  "CABIN_CLASS_ECONOMY",
  "CABIN_CLASS_PREMIUM_ECONOMY",
  "CABIN_CLASS_BUSINESS",
  "CABIN_CLASS_FIRST",
] as const;
export type Cabin = (typeof cabins)[number];

/** A price that a traveller found for a journey. */
export const PriceQuote = Type.Object(
  {
    bookingUrl: Type.Optional(Type.String({ description: "Page on which the price can be searched for again" })),
    cabin: Type.Enum(["CABIN_CLASS_UNSPECIFIED", ...cabins], { description: "Cabin class of the offer" }),
    carrier: Type.Optional(Carrier),
    checkoutRef: Type.Optional(
      Type.String({ description: "Always absent, because this service does not sell tickets" }),
    ),
    currency: Type.String({ description: "ISO 4217 code of `priceAmount`" }),
    departureDate: Type.String({ description: "YYYY-MM-DD" }),
    destination: Type.String({ description: "IATA code of the airport or city" }),
    durationMinutes: Type.Optional(
      Type.Integer({ format: "int32", description: "Duration of all flights of the journey" }),
    ),
    expiresAt: Type.Optional(epochMs("Time until which the provider guarantees the price")),
    id: Type.String({ description: "Id of the offer, unique in the answer" }),
    isIndicative: Type.Boolean({
      description: "True for a price that was found earlier and may no longer be available",
    }),
    observedAt: Type.Optional(epochMs("Time at which the price was found")),
    origin: Type.String({ description: "IATA code of the airport or city" }),
    priceAmount: Type.Number({ description: "Per person" }),
    provider: Type.String({ description: "Provider that made the offer" }),
    returnDate: Type.String({ description: "YYYY-MM-DD; empty for one way" }),
    stops: Type.Integer({ format: "int32", description: "Stops of the outward journey" }),
  },
  { title: "PriceQuote" },
);
export type PriceQuote = Static<typeof PriceQuote>;

export interface PricePlan {
  readonly origin: string;
  readonly destination: string;
  readonly departureDate: string;
  /** Empty for one way. */
  readonly returnDate: string;
  /** The provider's class number. The provider has no prices for premium economy. */
  readonly tripClass: 0 | 1 | 2;
  readonly nonstopOnly: boolean;
  /** Lower case. */
  readonly currency: string;
  /**
   * Lower-case country code of the requested market. If no market is requested, the country of the origin, or empty if
   * the origin is not a monitored airport. If the code is empty, the provider chooses the market.
   */
  readonly market: string;
}

/** Returns the provider's number of a cabin; undefined for a cabin without prices. */
export function tripClassOf(cabin: Cabin): 0 | 1 | 2 | undefined {
  if (cabin === "CABIN_CLASS_ECONOMY") return 0;
  if (cabin === "CABIN_CLASS_BUSINESS") return 1;
  return cabin === "CABIN_CLASS_FIRST" ? 2 : undefined;
}

export function cabinOf(tripClass: number): PriceQuote["cabin"] {
  const cabin = cabins.find((cabin) => tripClassOf(cabin) === tripClass);
  return cabin ?? "CABIN_CLASS_UNSPECIFIED";
}

/** Returns the country of a locale such as `en-GB`, `en_GB`, `GB` or `gb`; empty for anything else. */
export function marketOf(locale: string): string {
  return /^(?:[A-Za-z]{2}[-_])?([A-Za-z]{2})$/.exec(locale.trim())?.[1]?.toLowerCase() ?? "";
}

/** Returns the country of a monitored airport; empty for other airports and for codes of cities. */
export function homeMarketOf(origin: string): string {
  return airportByIata(origin)?.countryCode.toLowerCase() ?? "";
}

/** Selects the quotes that match the requested days and stops, cheapest first. */
export function matching(quotes: readonly PriceQuote[], plan: PricePlan): readonly PriceQuote[] {
  return quotes
    .filter(({ departureDate, returnDate }) => departureDate === plan.departureDate && returnDate === plan.returnDate)
    .filter(({ stops }) => !plan.nonstopOnly || stops === 0)
    .toSorted((a, b) => a.priceAmount - b.priceAmount || a.stops - b.stops || a.id.localeCompare(b.id));
}
