import { type Static, Type } from "typebox";

/** One flight of an itinerary. */
const ProviderFlightLeg = Type.Object(
  {
    airlineCode: Type.Optional(Type.String({ description: "IATA code of the airline that sells the flight" })),
    arrivalAirport: Type.Optional(Type.String({ description: "IATA code" })),
    arrivalDatetime: Type.String({ description: "Local time at the airport, YYYY-MM-DDTHH:MM:SS" }),
    departureAirport: Type.Optional(Type.String({ description: "IATA code" })),
    departureDatetime: Type.String({ description: "Local time at the airport, YYYY-MM-DDTHH:MM:SS" }),
    durationMinutes: Type.Optional(Type.Integer({ format: "int32", description: "Absent when unknown" })),
    flightNumber: Type.Optional(Type.String({ description: "IATA flight number" })),
  },
  { title: "ProviderFlightLeg" },
);
export type ProviderFlightLeg = Static<typeof ProviderFlightLeg>;

export const ProviderFlightResult = Type.Object(
  {
    durationMinutes: Type.Optional(Type.Integer({ format: "int32", description: "Both directions together" })),
    legs: Type.Array(ProviderFlightLeg, {
      description: "In the order of travel, the return after the outward journey",
    }),
    price: Type.Number({ description: "For all passengers, in the provider's billing currency" }),
    stops: Type.Integer({ format: "int32", description: "Stops of the direction with more stops" }),
  },
  { title: "ProviderFlightResult" },
);
export type ProviderFlightResult = Static<typeof ProviderFlightResult>;

/** A query for flight offers, the same for every provider. */
export interface OffersPlan {
  readonly origin: string;
  readonly destination: string;
  readonly departureDate: string;
  /** Empty for one way. */
  readonly returnDate: string;
  readonly cabin: ProviderCabin;
  readonly passengers: number;
}

export const providerCabins = ["ECONOMY", "PREMIUM_ECONOMY", "BUSINESS", "FIRST"] as const;
export type ProviderCabin = (typeof providerCabins)[number];

/** Parses a cabin, ignoring case; economy for any other text. */
export function cabinFrom(text: string): ProviderCabin {
  return providerCabins.find((cabin) => cabin === text.trim().toUpperCase()) ?? "ECONOMY";
}

/** Returns the maximum stops of a direction; unlimited for `ANY`, `TWO_PLUS_STOPS` and any other text. */
export function stopsMaxFrom(text: string): number {
  const name = text.trim().toUpperCase();
  if (name === "NON_STOP") return 0;
  return name === "ONE_STOP" ? 1 : Number.POSITIVE_INFINITY;
}

/** Returns the canonical name of a limit on stops; `ANY` for two or more stops and for any other text. */
export function stopsFrom(text: string): string {
  const stopsMax = stopsMaxFrom(text);
  return stopsMax === 0 ? "NON_STOP" : stopsMax === 1 ? "ONE_STOP" : "ANY";
}

/** Normalizes departure hours to `H-H`, without spaces and leading zeros; empty for any other text. */
export function hoursFrom(text: string): string {
  const window = windowFrom(text);
  return window === undefined ? "" : window.map((minutes) => minutes / 60).join("-");
}

/** Parses `H-H` to minutes of the day, inclusive; undefined for any other text. */
export function windowFrom(text: string): readonly [from: number, to: number] | undefined {
  const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(text.trim()) ?? [];
  const [start, end] = [Number(from) * 60, Number(to) * 60];
  return start <= end && end <= 24 * 60 ? [start, end] : undefined;
}

export interface Wishes {
  readonly maxStops: string;
  readonly departureWindow: string;
  readonly airlines: readonly string[];
  readonly sortBy: string;
}

/** Returns the canonical name of a sort order; cheapest first for an unknown order. */
export function orderFrom(text: string): string {
  const name = text.trim().toUpperCase();
  return Object.hasOwn(orders, name) ? name : "CHEAPEST";
}

/** Filters and sorts itineraries. An unknown order means cheapest first. */
export function fitting(itineraries: readonly ProviderFlightResult[], wishes: Wishes): readonly ProviderFlightResult[] {
  const stopsMax = stopsMaxFrom(wishes.maxStops);
  const window = windowFrom(wishes.departureWindow);
  const airlines = new Set(wishes.airlines.map((code) => code.trim().toUpperCase()).filter((code) => code !== ""));
  const order = orders[wishes.sortBy.trim().toUpperCase()] ?? byPrice;
  return itineraries
    .filter(({ stops }) => stops <= stopsMax)
    .filter((itinerary) => window === undefined || leavesWithin(itinerary, window))
    .filter(({ legs }) => airlines.size === 0 || legs.every(({ airlineCode }) => airlines.has(airlineCode ?? "")))
    .toSorted((a, b) => order(a, b) || byPrice(a, b));
}

const MINUTES_MAX = Number.MAX_SAFE_INTEGER;

type Order = (a: ProviderFlightResult, b: ProviderFlightResult) => number;

const byPrice: Order = (a, b) => a.price - b.price;
const firstLeg = ({ legs }: ProviderFlightResult): string => legs[0]?.departureDatetime ?? "";
const lastLeg = ({ legs }: ProviderFlightResult): string => legs.at(-1)?.arrivalDatetime ?? "";
const orders: Readonly<Record<string, Order>> = {
  CHEAPEST: byPrice,
  // An itinerary of unknown duration comes last.
  DURATION: (a, b) => (a.durationMinutes ?? MINUTES_MAX) - (b.durationMinutes ?? MINUTES_MAX),
  DEPARTURE_TIME: (a, b) => firstLeg(a).localeCompare(firstLeg(b)),
  ARRIVAL_TIME: (a, b) => lastLeg(a).localeCompare(lastLeg(b)),
};

function leavesWithin(itinerary: ProviderFlightResult, [from, to]: readonly [number, number]): boolean {
  const [, hour, minute] = /T(\d{2}):(\d{2})/.exec(firstLeg(itinerary)) ?? [];
  const at = Number(hour) * 60 + Number(minute);
  return at >= from && at <= to;
}
