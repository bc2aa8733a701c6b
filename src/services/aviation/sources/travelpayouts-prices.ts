import { Type } from "typebox";
import { BadRow, source, step } from "../../../contract/source.js";
import { isCalendarDate } from "../../../kit/calendar-date.js";
import { cabinOf, type PricePlan, type PriceQuote } from "../records/prices.js";
import { presentMembers } from "../rules/present-members.js";
import { offerRanges } from "./flight-ranges.js";
import { travelpayouts, travelpayoutsInstant, travelpayoutsRequest, travelpayoutsRows } from "./travelpayouts.js";

const optional = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const optionalCount = Type.Optional(Type.Union([Type.Number(), Type.Null()]));

/** Prices for one day of departure, in economy. */
export const travelpayoutsDay = source({
  ...travelpayouts,
  id: "travelpayouts-day",
  title: "Travelpayouts, prices for dates",
  seen: "described",
  // This feed has prices for economy only.
  answers: ({ tripClass }: PricePlan) => tripClass === 0,
  steps: {
    prices: step({
      request: (plan: PricePlan) =>
        travelpayoutsRequest("day", "aviasales/v3/prices_for_dates", {
          origin: plan.origin,
          destination: plan.destination,
          departure_at: plan.departureDate,
          ...(plan.returnDate !== "" && { return_at: plan.returnDate }),
          one_way: String(plan.returnDate === ""),
          direct: String(plan.nonstopOnly),
          currency: plan.currency,
          ...(plan.market !== "" && { market: plan.market }),
          sorting: "price",
          unique: "false",
          limit: "50",
          page: "1",
        }),
      format: { kind: "json" },
      row: Type.Object({
        origin: Type.String(),
        destination: Type.String(),
        departure_at: Type.String(),
        return_at: optional,
        price: Type.Number({ exclusiveMinimum: 0 }),
        airline: optional,
        flight_number: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
        transfers: Type.Number({ minimum: 0 }),
        duration: optionalCount,
        link: optional,
        expires_at: optional,
      }),
      rows: travelpayoutsRows,
      record(row, { currency }): PriceQuote {
        return quote(currency, {
          origin: row.origin,
          destination: row.destination,
          price: row.price,
          stops: row.transfers,
          departureDate: dayOf(row.departure_at),
          returnDate: dayOf(row.return_at ?? ""),
          airline: row.airline ?? "",
          flight: String(row.flight_number ?? ""),
          tripClass: 0,
          durationMinutes: row.duration,
          bookingUrl: row.link?.startsWith("/") ? `https://www.aviasales.com${row.link}` : undefined,
          expiresAt: travelpayoutsInstant(row.expires_at),
          observedAt: undefined,
        });
      },
      rowsMin: 0,
    }),
  },
  ranges: offerRanges,
  observedAt: () => undefined,
  recordsMin: 0,
});

/** The latest prices for departures in one month, in the requested cabin. */
export const travelpayoutsLatest = source({
  ...travelpayouts,
  id: "travelpayouts-latest",
  title: "Travelpayouts, latest prices",
  seen: "recorded",
  steps: {
    prices: step({
      request: (plan: PricePlan) =>
        travelpayoutsRequest("latest", "v2/prices/latest", {
          origin: plan.origin,
          destination: plan.destination,
          period_type: "month",
          beginning_of_period: `${plan.departureDate.slice(0, 7)}-01`,
          one_way: String(plan.returnDate === ""),
          trip_class: String(plan.tripClass),
          currency: plan.currency,
          ...(plan.market !== "" && { market: plan.market }),
          show_to_affiliates: "false",
          sorting: "price",
          limit: "1000",
          page: "1",
        }),
      format: { kind: "json" },
      row: Type.Object({
        origin: Type.String(),
        destination: Type.String(),
        depart_date: Type.String(),
        return_date: optional,
        value: Type.Number({ exclusiveMinimum: 0 }),
        trip_class: Type.Number(),
        number_of_changes: Type.Number({ minimum: 0 }),
        duration: optionalCount,
        found_at: optional,
      }),
      rows: travelpayoutsRows,
      record(row, { currency }): PriceQuote {
        return quote(currency, {
          origin: row.origin,
          destination: row.destination,
          price: row.value,
          stops: row.number_of_changes,
          departureDate: dayOf(row.depart_date),
          returnDate: dayOf(row.return_date ?? ""),
          airline: "",
          flight: "",
          tripClass: row.trip_class,
          durationMinutes: row.duration,
          bookingUrl: undefined,
          expiresAt: undefined,
          observedAt: travelpayoutsInstant(row.found_at),
        });
      },
      rowsMin: 0,
    }),
  },
  ranges: offerRanges,
  observedAt: ({ observedAt }) => observedAt,
  recordsMin: 0,
});

interface Found {
  readonly origin: string;
  readonly destination: string;
  readonly price: number;
  readonly stops: number;
  readonly departureDate: string;
  readonly returnDate: string;
  readonly airline: string;
  readonly flight: string;
  readonly tripClass: number;
  readonly durationMinutes: number | null | undefined;
  readonly bookingUrl: string | undefined;
  readonly expiresAt: number | undefined;
  readonly observedAt: number | undefined;
}

/** Builds a quote. Its price is in the requested currency. */
function quote(currency: string, offer: Found): PriceQuote {
  const { origin, destination, price, stops, departureDate, returnDate, airline, flight } = offer;
  const parts = [origin, destination, departureDate, returnDate, airline + flight, stops, price];
  const { durationMinutes, bookingUrl, expiresAt, observedAt } = offer;
  return {
    ...presentMembers({
      bookingUrl,
      // The provider writes 0 for an unknown value.
      durationMinutes: durationMinutes ? Math.round(durationMinutes) : undefined,
      expiresAt,
      observedAt,
    }),
    cabin: cabinOf(offer.tripClass),
    ...(airline !== "" && { carrier: { iataCode: airline.toUpperCase() } }),
    currency: currency.toUpperCase(),
    departureDate,
    destination,
    id: `travelpayouts:${parts.join(":")}`,
    isIndicative: true,
    origin,
    priceAmount: price,
    provider: "travelpayouts",
    returnDate,
    stops,
  };
}

/** Returns the date part of a timestamp, in the local time in which it is written. */
function dayOf(text: string): string {
  const day = text.slice(0, 10);
  if (day !== "" && !isCalendarDate(day)) throw new BadRow(`"${day}" is not a day`);
  return day;
}
