import { Type } from "typebox";
import { Value } from "typebox/value";
import { BadRow, source, step } from "../../../contract/source.js";
import { isCalendarDate } from "../../../kit/calendar-date.js";
import type { DatePrice, DatesPlan } from "../records/date-prices.js";
import { offerRanges } from "./flight-ranges.js";
import { travelpayouts, travelpayoutsRequest, travelpayoutsRows } from "./travelpayouts.js";

const optional = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Calendar = Type.Object({ success: Type.Literal(true), data: Type.Record(Type.String(), Type.Unknown()) });

/** The cheapest round trip of each day of departure. */
export const travelpayoutsCalendar = source({
  ...travelpayouts,
  id: "travelpayouts-calendar",
  title: "Travelpayouts, calendar of prices",
  seen: "recorded",
  answers: ({ days }: DatesPlan) => days > 0,
  steps: {
    calendar: step({
      ask: ({ origin, destination, months, days }: DatesPlan) =>
        months.map((month) => ({ origin, destination, days, month })),
      request: ({ origin, destination, days, month }) =>
        travelpayoutsRequest(month, "v1/prices/calendar", {
          origin,
          destination,
          depart_date: month,
          calendar_type: "departure_date",
          length: String(days),
          currency: "usd",
        }),
      format: { kind: "json" },
      row: Type.Object({
        price: Type.Number({ exclusiveMinimum: 0 }),
        airline: optional,
        departure_at: Type.String(),
        return_at: optional,
        transfers: Type.Number({ minimum: 0 }),
      }),
      *rows(document) {
        // A calendar is an object with one member per day, but an empty calendar is an empty list.
        if (!Value.Check(Calendar, document)) return yield* travelpayoutsRows(document);
        yield* Object.values(document.data);
      },
      record({ price, airline, departure_at, return_at, transfers }): DatePrice {
        return {
          date: dayOf(departure_at),
          returnDate: dayOf(return_at ?? ""),
          price,
          stops: transfers,
          airline: airline ?? undefined,
          tripClass: undefined,
        };
      },
      rowsMin: 0,
    }),
  },
  ranges: offerRanges,
  observedAt: () => undefined,
  recordsMin: 0,
});

/** The cheapest one-way journeys of each day of a month. */
export const travelpayoutsMonth = source({
  ...travelpayouts,
  id: "travelpayouts-month",
  title: "Travelpayouts, month of prices",
  seen: "recorded",
  answers: ({ days }: DatesPlan) => days === 0,
  steps: {
    month: step({
      ask: ({ origin, destination, months }: DatesPlan) => months.map((month) => ({ origin, destination, month })),
      request: ({ origin, destination, month }) =>
        travelpayoutsRequest(month, "v2/prices/month-matrix", {
          origin,
          destination,
          month: `${month}-01`,
          one_way: "true",
          show_to_affiliates: "false",
          currency: "usd",
        }),
      format: { kind: "json" },
      row: Type.Object({
        value: Type.Number({ exclusiveMinimum: 0 }),
        trip_class: Type.Number(),
        depart_date: Type.String(),
        return_date: optional,
        number_of_changes: Type.Number({ minimum: 0 }),
      }),
      rows: travelpayoutsRows,
      record({ value, trip_class, depart_date, return_date, number_of_changes }): DatePrice {
        return {
          date: dayOf(depart_date),
          returnDate: dayOf(return_date ?? ""),
          price: value,
          stops: number_of_changes,
          airline: undefined,
          tripClass: trip_class,
        };
      },
      rowsMin: 0,
    }),
  },
  ranges: offerRanges,
  observedAt: () => undefined,
  recordsMin: 0,
});

function dayOf(text: string): string {
  const day = text.slice(0, 10);
  if (day !== "" && !isCalendarDate(day)) throw new BadRow(`"${day}" is not a day`);
  return day;
}
